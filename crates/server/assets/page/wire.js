// @ts-check
/**
 * What travels between this page and the server, and how it is read.
 *
 * @typedef {{ text: string }} Words
 * @typedef {Words & { in_reply_to?: string | null }} Heard
 * @typedef {{
 *   call_id: string, tool_name: string, label?: string, action_level?: string,
 *   confirmation_request_id?: string | null,
 * }} ToolRequest
 * @typedef {{ call_id: string, message?: string, progress?: number }} ToolNews
 * @typedef {{
 *   call_id: string, ok: boolean, error?: { code: string, message: string } | null,
 *   state?: WriteState | null, output?: { sent_at?: string, created_at?: string } | null,
 * }} ToolResult
 * @typedef {"confirmed" | "failed_clean" | "maybe_sent" | "reconciled_done" | "reconciled_not_done" | "needs_user"} WriteState
 * @typedef {{ code: string, message: string, user_message?: string, retryable?: boolean, in_reply_to?: string | null }} Failure
 *
 * @typedef {{ name?: string, address: string, source: "explicit" | "contact" | "thread" | "content" | "unknown" }} Recipient
 * @typedef {{
 *   kind: "email", from?: string | null, to: Recipient[], cc?: Recipient[], subject: string,
 *   body_text: string, in_reply_to?: string, has_draft: boolean,
 * }} EmailPreview
 * @typedef {{
 *   kind: "event", title: string, start: string, end: string, minutes: number, length_assumed: boolean,
 *   attendees: Recipient[], location?: string, conflicts?: string[], free_instead?: string[],
 * }} EventPreview
 * @typedef {{ kind: "memory", text: string, forgets: boolean, alike?: string[], also?: string[], derived_from?: string }} MemoryPreview
 * @typedef {{ kind: "lines", lines: { label: string, value: string }[] }} LinesPreview
 * @typedef {{ name: string, label: string, kind: "text" | "paragraphs" | "people" | "time" }} Field
 * @typedef {"accept" | "edit" | "reject"} Decision
 * @typedef {{
 *   confirmation_request_id: string, revision: number, action_type: string, title: string,
 *   preview: EmailPreview | EventPreview | MemoryPreview | LinesPreview, payload: Record<string, unknown>, editable: Field[],
 *   warnings: { code: string, text: string }[], voice: "allow" | "readback", changed?: string[],
 *   allowed_decisions: Decision[], step: { index: number, total: number }, expires_at: string,
 * }} Question
 * @typedef {{ confirmation_request_id: string, revision: number, decision: Decision, channel: string }} Answered
 * @typedef {{ plan_id: string, choices?: { name: string, means: string }[] }} PlanUpdate
 *
 * @typedef {{
 *   "turn.start": { input_mode: string, in_reply_to?: string | null, follows?: string | null },
 *   "state.change": { from: string, to: string, reason: string },
 *   "turn.end": { outcome: string, error_code?: string | null },
 *   "turn.cancelled": { cancel_turn_id: string },
 *   "input_transcript.delta": Words,
 *   "input_transcript.final": Heard,
 *   "assistant_text.delta": Words,
 *   "assistant_text.final": Words,
 *   "assistant_audio.start": { sample_rate: number },
 *   "assistant_audio.chunk": import("./player.js").Chunk,
 *   "assistant_audio.level": { gain: number },
 *   "assistant_audio.end": { interrupted?: boolean, heard_chars?: number },
 *   "plan.update": PlanUpdate,
 *   "tool_call.request": ToolRequest,
 *   "tool_call.queued": ToolNews,
 *   "tool_call.progress": ToolNews,
 *   "tool_call.result": ToolResult,
 *   "confirmation.request": Question,
 *   "confirmation.updated": Question,
 *   "confirmation.resolved": Answered,
 *   "confirmation.expired": { confirmation_request_id: string },
 *   "error": Failure,
 *   "session.ready": { capabilities: { hears: boolean, speaks: boolean } },
 *   "session.resumed": Standing,
 *   "resync": Snapshot,
 * }} Payloads
 *
 * Where the session stands.
 * @typedef {{ epoch: number, last_seq: number, state: string, turn_id?: string | null }} Standing
 *
 * Everything there is, for a page that cannot catch up.
 * @typedef {Standing & {
 *   messages: { message_id: string, turn_id?: string, role: string, text: string, ts: string, partial?: boolean }[],
 *   pending_confirmations: Question[],
 * }} Snapshot
 *
 * @typedef {{
 *   event_id: string, event_type: string, ts: string, session_id: string, epoch: number,
 *   turn_id?: string | null, message_id?: string | null, seq?: number | null,
 *   payload: Payloads[keyof Payloads],
 * }} Envelope
 */

/** What is not an envelope is not ours to judge: it is left alone. @param {unknown} data */
export function parse(data) {
  if (typeof data !== "string") return null;
  try {
    const value = JSON.parse(data);
    const isEnvelope = typeof value?.event_type === "string" && typeof value.payload === "object";
    return isEnvelope && value.payload ? /** @type {Envelope} */ (value) : null;
  } catch {
    return null;
  }
}

/**
 * A snapshot as the events that would have led to it.
 * @param {Snapshot} snapshot
 * @param {Envelope} envelope the one it came in
 * @returns {Envelope[]}
 */
export function unfold({ messages, pending_confirmations, turn_id }, { event_id, ts, session_id, epoch }) {
  const about = { event_id, session_id, epoch };
  const words = messages.map(({ message_id, turn_id, role, text, ts, partial }) => {
    const kind = role === "user" ? "input_transcript.final" : "assistant_text.final";
    const growing = role === "user" ? "input_transcript.delta" : "assistant_text.delta";
    const event_type = partial ? growing : kind;
    return { ...about, event_type, ts, message_id, turn_id, payload: { text } };
  });
  const cards = pending_confirmations.map((payload) => (
    { ...about, event_type: "confirmation.request", ts, turn_id, payload }
  ));
  return [...words, ...cards];
}

export function newEventId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `evt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Failure} failure */
export function personWords(failure) {
  return failure.user_message || failure.message || "Something went wrong.";
}
