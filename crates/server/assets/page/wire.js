// @ts-check
/**
 * What travels between this page and the server, and how it is read.
 *
 * @typedef {{ text: string }} Words
 * @typedef {{ call_id: string, tool_name: string, label?: string, action_level?: string }} ToolRequest
 * @typedef {{ call_id: string, message?: string, progress?: number }} ToolNews
 * @typedef {{ call_id: string, ok: boolean, error?: { message: string } | null }} ToolResult
 * @typedef {{ code: string, message: string, user_message?: string, retryable?: boolean, in_reply_to?: string | null }} Failure
 *
 * @typedef {{
 *   "turn.start": { input_mode: string },
 *   "state.change": { from: string, to: string, reason: string },
 *   "turn.end": { outcome: string, error_code?: string | null },
 *   "turn.cancelled": { cancel_turn_id: string },
 *   "input_transcript.delta": Words,
 *   "input_transcript.final": Words,
 *   "assistant_text.delta": Words,
 *   "assistant_text.final": Words,
 *   "tool_call.request": ToolRequest,
 *   "tool_call.queued": ToolNews,
 *   "tool_call.progress": ToolNews,
 *   "tool_call.result": ToolResult,
 *   "error": Failure,
 * }} Payloads
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

export function newEventId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `evt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Failure} failure */
export function personWords(failure) {
  return failure.user_message || failure.message || "Something went wrong.";
}
