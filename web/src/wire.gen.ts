// Made from crates/wire by `make schema`; never edited by hand.
// `Envelope` is what the server sends, `ClientEvent` what a client sends.

export type Role = "user" | "assistant" | "tool" | "system";

export type InputMode = "voice" | "text";

export type Outcome = "success" | "partial" | "failed" | "unknown";

export type ActionLevel = "read" | "draft" | "write";

export type CallMode = "direct" | "orchestrated";

export type CallError = { code: string, message: string, retryable: boolean, };

export type TurnState = "idle" | "listening" | "finalizing_input" | "thinking" | "executing_tools" | "awaiting_confirmation" | "speaking" | "cancelled" | "error_recoverable" | "error_terminal";

export type Event = { "event_type": "turn.start", "payload": { input_mode: InputMode, 
/**
 * The `event_id` of the frame that began it, where it had one.
 */
in_reply_to?: string, 
/**
 * The earlier turn whose outcome is told here; nobody asked for this one.
 */
follows?: string, } } | { "event_type": "state.change", "payload": { from: TurnState, to: TurnState, reason: string, } } | { "event_type": "turn.end", "payload": { outcome: Outcome, error_code: string | null, } } | { "event_type": "turn.cancelled", "payload": { cancel_turn_id: string, } } | { "event_type": "input_transcript.delta", "payload": { text: string, confidence: number, } } | { "event_type": "input_transcript.final", "payload": { text: string, confidence: number, 
/**
 * An answer to an open card belongs to the card's turn; this is the
 * `event_id` of its own frame.
 */
in_reply_to?: string, } } | { "event_type": "assistant_text.delta", "payload": { text: string, } } | { "event_type": "assistant_text.final", "payload": { text: string, } } | { "event_type": "plan.update", "payload": PlanUpdate } | { "event_type": "tool_call.request", "payload": { call_id: string, tool_name: string, arguments: Record<string, unknown>, idempotency_key: string, mode: CallMode, action_level: ActionLevel, 
/**
 * What a person would call it: "Searching mail for Priya".
 */
label: string, 
/**
 * The card that was said yes to.
 */
confirmation_request_id?: string, } } | { "event_type": "tool_call.queued", "payload": { call_id: string, job_id: string, message: string, } } | { "event_type": "tool_call.progress", "payload": { call_id: string, status: string, progress: number, message: string, } } | { "event_type": "tool_call.result", "payload": { call_id: string, ok: boolean, output: unknown, error: CallError | null, 
/**
 * Of a write: what can be proven of it. It may be learnt later, and
 * then comes once more with the same `call_id`.
 */
state?: ActionState, } } | { "event_type": "confirmation.request", "payload": Question } | { "event_type": "confirmation.updated", "payload": Question } | { "event_type": "confirmation.resolved", "payload": { confirmation_request_id: string, revision: number, decision: Decision, channel: Channel, 
/**
 * What an edit changed.
 */
edited_fields?: Array<string>, } } | { "event_type": "confirmation.expired", "payload": { confirmation_request_id: string, revision: number, } } | { "event_type": "session.pong", "payload": { 
/**
 * What the client sent, so that it can measure the round trip.
 */
client_ts: string | null, server_ts: string, } } | { "event_type": "error", "payload": { code: string, 
/**
 * For the developer of the client.
 */
message: string, 
/**
 * For the person; a client may show it as it is.
 */
user_message: string, retryable: boolean, 
/**
 * The `event_id` of the frame that this answers, where it had one.
 */
in_reply_to?: string, } };

export type Envelope = { event_id: string, ts: string, session_id: string, 
/**
 * Which owner of the session numbered this.
 */
epoch: number, turn_id?: string, message_id?: string, 
/**
 * Never goes back within a session, also across restarts; it may skip.
 */
seq?: number, 
/**
 * Counts from 1 within a turn; it may skip after a restart.
 */
turn_seq?: number, role: Role, } & Event;

export type EndReason = "end_of_speech" | "manual_stop" | "timeout";

export type Choice = "accept" | "reject" | "edit";

export type ClientEvent = { "event_type": "text.input", "payload": { text: string, source?: string, attachments?: Array<string>, } } | { "event_type": "audio.chunk", "payload": { pcm16_b64: string, sample_rate: number, channels: number, } } | { "event_type": "audio.end", "payload": { reason: EndReason, } } | { "event_type": "confirm.response", "payload": { confirmation_request_id: string, decision: Choice, edited_payload?: Record<string, unknown>, 
/**
 * The revision the person has seen. Without it, the only one that was
 * sent on this connection.
 */
revision?: number, 
/**
 * How the person answered: a button or a key on the card.
 */
channel?: Touch, } } | { "event_type": "confirm.extend", "payload": { confirmation_request_id: string, } } | { "event_type": "user.interrupt", "payload": { reason?: string, cancel_turn_id?: string, } } | { "event_type": "session.ping", "payload": { client_ts?: string, } };
