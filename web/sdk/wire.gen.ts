// Made from crates/wire by `make schema`; never edited by hand.
// `Envelope` is what the server sends, `ClientEvent` what a client sends.

export type ActionLevel = "read" | "draft" | "write";

export type ActionState = "intent_logged" | "dispatching" | "confirmed" | "failed_clean" | "maybe_sent" | "reconciled_done" | "reconciled_not_done" | "needs_user";

export type Attached = { file_id: string, 
/**
 * What its person calls it. Never a path.
 */
name: string, media_type: string, };

export type AudioFormat = "pcm16";

export type BinaryAudio = { sample_rate: number, channels: number, };

export type Bubble = { message_id: string, turn_id?: string, role: Role, text: string, ts: string, 
/**
 * It still grows: deltas of the same message go on behind this text.
 */
partial?: boolean, 
/**
 * What was handed over with it.
 */
attachments?: Array<Attached>, };

export type CallError = { code: string, message: string, retryable: boolean, };

export type CallMode = "direct" | "orchestrated";

export type Came = { call_id: string, ts: string, ok: boolean, output: unknown, error: CallError | null, state?: ActionState, };

export type Capabilities = { hears: boolean, speaks: boolean, 
/**
 * It takes sound in binary frames from whoever says in `session.hello` what they hold.
 * It sends its own in text frames.
 */
binary_audio: boolean, replay_events: number, replay_hours: number, recent_events: number, };

export type Care = "allow" | "named" | "readback";

export type Channel = "click" | "key" | "voice" | "text" | "api";

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
channel?: Touch, } } | { "event_type": "confirm.extend", "payload": { confirmation_request_id: string, } } | { "event_type": "user.interrupt", "payload": { reason?: string, cancel_turn_id?: string, 
/**
 * How much of the answer was heard.
 */
heard_ms?: number, } } | { "event_type": "playback.progress", "payload": { message_id: string, heard_ms: number, } } | { "event_type": "playback.replay", "payload": { message_id: string, 
/**
 * So many characters of it were heard: it goes on with the sentence in which the
 * next one stands. Without it, it is said from its beginning.
 */
from_chars?: number, } } | { "event_type": "session.hello", "payload": { 
/**
 * The version of this dialect that the client speaks.
 */
protocol?: number, 
/**
 * Binary frames of this connection hold sound in this format.
 */
binary_audio?: BinaryAudio, 
/**
 * Speak answers to this client. Unsaid, it is spoken to once it has sent sound.
 */
plays_audio?: boolean, 
/**
 * The client takes the assistant's own voice out of what it sends.
 */
cancels_echo?: boolean, 
/**
 * Who decides that somebody is done speaking: silence, or `audio.end` alone.
 */
turn_mode?: TurnMode, client?: string, } } | { "event_type": "session.resume", "payload": { epoch?: number, last_seq?: number, } } | { "event_type": "session.ping", "payload": { client_ts?: string, } };

export type Decision = "accept" | "reject" | "edit";

export type EmailPreview = { from: string | null, to: Array<Recipient>, cc?: Array<Recipient>, subject: string, body_text: string, 
/**
 * "Priya Nair, Samples for Thursday": the mail that this answers.
 */
in_reply_to?: string, 
/**
 * A draft of it stays if the answer is no.
 */
has_draft: boolean, };

export type EndReason = "end_of_speech" | "manual_stop" | "timeout";

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

export type Event = { "event_type": "turn.start", "payload": { input_mode: InputMode, 
/**
 * The `event_id` of the frame that began it, where it had one.
 */
in_reply_to?: string, 
/**
 * The earlier turn whose outcome is told here; nobody asked for this one.
 */
follows?: string, 
/**
 * The turn whose card the beginning of this sentence answered; here the rest of
 * it is heard.
 */
goes_on?: string, } } | { "event_type": "state.change", "payload": { from: TurnState, to: TurnState, reason: string, } } | { "event_type": "turn.end", "payload": { outcome: Outcome, error_code: string | null, 
/**
 * Which model answered, one on this machine or one elsewhere; absent where the
 * rules did.
 */
tier?: Tier, 
/**
 * What that model is called; nobody remembers it after a restart.
 */
model?: string, 
/**
 * How many characters of its last message were heard, where whoever listened went
 * away before its end; nobody stopped it.
 */
heard_chars?: number, } } | { "event_type": "turn.cancelled", "payload": { cancel_turn_id: string, 
/**
 * How much of the answer was heard, where the client could tell.
 */
heard_ms?: number, 
/**
 * How many characters of its last message were heard, where it was spoken;
 * the rest was never said.
 */
heard_chars?: number, 
/**
 * The `event_id` of the frame that stopped it, where it had one.
 */
in_reply_to?: string, } } | { "event_type": "input_transcript.delta", "payload": { 
/**
 * All words so far. Nobody acts on them.
 */
text: string, confidence: number, 
/**
 * Those that will not change any more; absent where nobody can tell.
 */
stable?: string, 
/**
 * The rest of them.
 */
unstable?: string, } } | { "event_type": "input_transcript.final", "payload": { text: string, confidence: number, 
/**
 * An answer to an open card belongs to the card's turn; this is the
 * `event_id` of its own frame.
 */
in_reply_to?: string, 
/**
 * What was handed over with it.
 */
attachments?: Array<Attached>, 
/**
 * More was said in the same breath: it is heard next, in a turn that `goes_on`
 * from this one.
 */
more?: boolean, 
/**
 * Words of it that were hardly made out: from and to, in characters of `text`.
 */
doubted?: Array<[number, number]>, } } | { "event_type": "assistant_text.delta", "payload": { text: string, } } | { "event_type": "assistant_text.final", "payload": { text: string, } } | { "event_type": "assistant_audio.start", "payload": { audio_format: AudioFormat, sample_rate: number, } } | { "event_type": "assistant_audio.chunk", "payload": { pcm16_b64: string, 
/**
 * Since the beginning of the message.
 */
start_ms: number, duration_ms: number, 
/**
 * The characters of the message that are heard in it; none in a pause.
 */
text_start: number, text_end: number, } } | { "event_type": "assistant_audio.level", "payload": { gain: number, } } | { "event_type": "assistant_audio.end", "payload": { 
/**
 * What was sent and not played yet is not to be.
 */
interrupted?: boolean, 
/**
 * How much of it was heard.
 */
heard_chars?: number, } } | { "event_type": "plan.update", "payload": PlanUpdate } | { "event_type": "tool_call.request", "payload": { call_id: string, tool_name: string, arguments: Record<string, unknown>, idempotency_key: string, mode: CallMode, action_level: ActionLevel, 
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
edited_fields?: Array<string>, 
/**
 * The `event_id` of the frame that answered, where it was one.
 */
in_reply_to?: string, } } | { "event_type": "confirmation.expired", "payload": { confirmation_request_id: string, revision: number, } } | { "event_type": "session.ready", "payload": Welcome } | { "event_type": "session.resumed", "payload": Standing } | { "event_type": "resync", "payload": Snapshot } | { "event_type": "input.repeated", "payload": { in_reply_to: string, } } | { "event_type": "rate_limit", "payload": { scope: Scope, retry_after_ms: number, 
/**
 * For the person; a client may show it as it is.
 */
user_message: string, in_reply_to?: string, } } | { "event_type": "session.pong", "payload": { 
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

export type EventChange = { 
/**
 * When it is now, where it is to be moved. Where there is none, it is to go.
 */
moved_from?: Stretch, 
/**
 * It is one of several that repeat; the others stay as they are.
 */
repeats?: boolean, 
/**
 * Whose it is, where somebody else has invited the person to it.
 */
organizer?: string, 
/**
 * Whether the calendar tells its guests.
 */
tells_guests: boolean, };

export type EventPreview = { title: string, start: string, end: string, minutes: number, 
/**
 * The person did not say how long.
 */
length_assumed: boolean, attendees: Array<Recipient>, 
/**
 * Its calendar sends them invitations; where it does not, nobody hears of it by this.
 */
invites_guests?: boolean, location?: string, 
/**
 * What is on the calendar at that time already.
 */
conflicts?: Array<string>, 
/**
 * Where that time is taken: when else on that day it could begin.
 */
free_instead?: Array<string>, 
/**
 * It is on the calendar already, and this becomes of it; none where it is new.
 */
change?: EventChange, };

export type Execution = "direct_response" | "backend_orchestrated";

export type Field = { 
/**
 * As the payload spells it.
 */
name: string, 
/**
 * As a person would call it.
 */
label: string, kind: FieldKind, };

export type FieldKind = "text" | "paragraphs" | "people" | "time";

export type Given = { decision: Decision, channel: Channel, 
/**
 * What an edit changed.
 */
edited_fields?: Array<string>, };

export type InputMode = "voice" | "text";

export type Line = { label: string, value: string, };

export type Lost = "unknown_cursor" | "too_old" | "asked";

export type MemoryPreview = { 
/**
 * All of it.
 */
text: string, 
/**
 * It is there, and is to go.
 */
forgets: boolean, 
/**
 * What is known already and says much the same.
 */
alike?: Array<string>, 
/**
 * What goes with it, where several are to be forgotten.
 */
also?: Array<string>, 
/**
 * Whose words it is made of, where they are not the person's own.
 */
derived_from?: string, };

export type Outcome = "success" | "partial" | "failed" | "unknown";

export type Pending = { 
/**
 * How long it still waits, by the server's clock.
 */
remaining_ms: number, confirmation_request_id: string, revision: number, action_level: ActionLevel, tool_name: string, 
/**
 * What has changed since the revision before.
 */
changed?: Array<string>, allowed_decisions: Array<Decision>, step: Place, expires_at: string, 
/**
 * Of exactly what is shown; what is done has the same.
 */
payload_hash: string, 
/**
 * `send_email`, `create_event`, `cancel_event`, `move_event`, `remember`, `forget`.
 */
action_type: string, 
/**
 * "Send this reply?"
 */
title: string, 
/**
 * The question as it is said aloud; never with words that would be a yes.
 */
speakable: string, preview: Preview, 
/**
 * What the tool will be called with. An edit names fields of this.
 */
payload: Record<string, unknown>, 
/**
 * The fields of the payload that a person may change.
 */
editable: Array<Field>, warnings: Array<Warning>, 
/**
 * How much of a yes it needs.
 */
voice: Care, };

export type Place = { index: number, total: number, };

export type PlanChoice = { name: string, 
/**
 * The sentence that would have been clear from the start.
 */
means: string, };

export type PlanUpdate = { execution_mode: Execution, 
/**
 * Why it is carried out that way.
 */
reason: Reason, 
/**
 * One for each step.
 */
progress: Array<Progress>, 
/**
 * What the person can answer the question with, by its number from 1.
 */
choices?: Array<PlanChoice>, plan_id: string, steps: Array<Step>, 
/**
 * What must be known before all of it can run: `recipient_email`.
 */
missing_fields: Array<string>, 
/**
 * What has more than one reading: `recipient_candidates` and the like.
 */
ambiguity: Record<string, unknown>, };

export type Preview = { "kind": "email" } & EmailPreview | { "kind": "event" } & EventPreview | { "kind": "memory" } & MemoryPreview | { "kind": "lines", lines: Array<Line>, };

export type Progress = { step_index: number, status: StepStatus, 
/**
 * What a person would call it.
 */
label: string, 
/**
 * The steps whose results it needs.
 */
depends_on?: Array<number>, };

export type Question = { confirmation_request_id: string, revision: number, action_level: ActionLevel, tool_name: string, 
/**
 * What has changed since the revision before.
 */
changed?: Array<string>, allowed_decisions: Array<Decision>, step: Place, expires_at: string, 
/**
 * Of exactly what is shown; what is done has the same.
 */
payload_hash: string, 
/**
 * `send_email`, `create_event`, `cancel_event`, `move_event`, `remember`, `forget`.
 */
action_type: string, 
/**
 * "Send this reply?"
 */
title: string, 
/**
 * The question as it is said aloud; never with words that would be a yes.
 */
speakable: string, preview: Preview, 
/**
 * What the tool will be called with. An edit names fields of this.
 */
payload: Record<string, unknown>, 
/**
 * The fields of the payload that a person may change.
 */
editable: Array<Field>, warnings: Array<Warning>, 
/**
 * How much of a yes it needs.
 */
voice: Care, };

export type Reason = "no_tool" | "one_tool" | "several_tools" | "any_write" | "ambiguous" | "long_running";

export type Recipient = { name?: string, address: string, 
/**
 * Where the address comes from.
 */
source: Source, };

export type Role = "user" | "assistant" | "tool" | "system";

export type RunningJob = { job_id: string, progress: number, message: string, };

export type Scope = "audio" | "text" | "tool" | "model" | "replay" | "server";

export type Settled = { turn_id?: string, 
/**
 * When it was decided.
 */
ts: string, 
/**
 * How it was answered; none where nobody did in time.
 */
answer?: Given, 
/**
 * What came of a yes, as far as it is known.
 */
result?: Came, confirmation_request_id: string, revision: number, action_level: ActionLevel, tool_name: string, 
/**
 * What has changed since the revision before.
 */
changed?: Array<string>, allowed_decisions: Array<Decision>, step: Place, expires_at: string, 
/**
 * Of exactly what is shown; what is done has the same.
 */
payload_hash: string, 
/**
 * `send_email`, `create_event`, `cancel_event`, `move_event`, `remember`, `forget`.
 */
action_type: string, 
/**
 * "Send this reply?"
 */
title: string, 
/**
 * The question as it is said aloud; never with words that would be a yes.
 */
speakable: string, preview: Preview, 
/**
 * What the tool will be called with. An edit names fields of this.
 */
payload: Record<string, unknown>, 
/**
 * The fields of the payload that a person may change.
 */
editable: Array<Field>, warnings: Array<Warning>, 
/**
 * How much of a yes it needs.
 */
voice: Care, };

export type Snapshot = { reason: Lost, 
/**
 * The latest ones, oldest first.
 */
messages: Array<Bubble>, 
/**
 * There are older ones than those.
 */
has_more: boolean, pending_confirmations: Array<Pending>, 
/**
 * What became of the cards among those messages, in the order in which they were decided.
 */
settled_confirmations?: Array<Settled>, running_jobs: Array<RunningJob>, 
/**
 * What is being spoken, and how much of it was heard.
 */
speaking?: Speaking, epoch: number, 
/**
 * Everything up to this number has been told.
 */
last_seq: number, state: TurnState, 
/**
 * The turn that is in that state; none when nothing is open.
 */
turn_id?: string, };

export type Source = "explicit" | "contact" | "thread" | "content" | "unknown";

export type Speaking = { message_id: string, heard_ms: number, };

export type Standing = { epoch: number, 
/**
 * Everything up to this number has been told.
 */
last_seq: number, state: TurnState, 
/**
 * The turn that is in that state; none when nothing is open.
 */
turn_id?: string, };

export type Step = { 
/**
 * Counts from 1.
 */
step_index: number, tool: string, 
/**
 * An argument that comes from an earlier step: `{"$step": 1, "pointer": "/thread_id"}`.
 */
args: Record<string, unknown>, action_level: ActionLevel, requires_confirmation: boolean, };

export type StepStatus = "waiting" | "queued" | "done" | "failed" | "asking" | "agreed" | "declined" | "expired" | "not_run";

export type Stretch = { start: string, end: string, };

export type Tier = "reflex" | "local" | "cloud";

export type Touch = "click" | "key";

export type TurnMode = "auto" | "manual";

export type TurnState = "idle" | "listening" | "finalizing_input" | "thinking" | "executing_tools" | "awaiting_confirmation" | "speaking" | "cancelled" | "error_recoverable" | "error_terminal";

export type Warning = { 
/**
 * `content_recipient`, `time_taken`.
 */
code: string, text: string, };

export type Welcome = { protocol: number, agent: string, epoch: number, last_seq: number, capabilities: Capabilities, };
