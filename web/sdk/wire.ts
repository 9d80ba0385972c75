/**
 * What travels between a client and the server, and how it is read. The types are
 * made from the server's own; nothing here adds to them.
 */
import type { ClientEvent, Envelope, Event } from "./wire.gen.ts";

export type * from "./wire.gen.ts";

export type EventType = Event["event_type"];
export type Payload<T extends EventType> = Extract<Event, { event_type: T }>["payload"];
export type EnvelopeOf<T extends EventType> = Envelope & { event_type: T; payload: Payload<T> };
export type Failure = Payload<"error">;

export type Outgoing = ClientEvent;

/** An envelope, or nothing: what is not one is left alone. */
export function parse(data: unknown): Envelope | null {
  if (typeof data !== "string") return null;
  try {
    const value: unknown = JSON.parse(data);
    return isEnvelope(value) ? value : null;
  } catch {
    return null;
  }
}

type Shape = Readonly<Record<string, "string" | "number" | "boolean" | "object" | "list">>;

const ID = { confirmation_request_id: "string" } as const;
const CARD: Shape = {
  ...ID,
  revision: "number",
  action_type: "string",
  title: "string",
  preview: "object",
  payload: "object",
  editable: "list",
  warnings: "list",
  allowed_decisions: "list",
  step: "object",
  expires_at: "string",
};
const WORDS: Shape = { text: "string" };
const HEARD: Shape = { text: "string", confidence: "number" };
const STANDING: Shape = { epoch: "number", last_seq: "number", state: "string" };

/** What cannot be done without. An event that lacks it is none; one that nobody knows yet needs nothing. */
const NEEDS: Readonly<Record<string, Shape>> = {
  "turn.start": { input_mode: "string" },
  "state.change": { from: "string", to: "string" },
  "turn.end": { outcome: "string" },
  "turn.cancelled": { cancel_turn_id: "string" },
  "input_transcript.delta": HEARD,
  "input_transcript.final": HEARD,
  "assistant_text.delta": WORDS,
  "assistant_text.final": WORDS,
  "assistant_audio.start": { sample_rate: "number" },
  "assistant_audio.chunk": {
    pcm16_b64: "string",
    start_ms: "number",
    duration_ms: "number",
    text_start: "number",
    text_end: "number",
  },
  "assistant_audio.level": { gain: "number" },
  "plan.update": { plan_id: "string", steps: "list", progress: "list" },
  "tool_call.request": { call_id: "string", tool_name: "string", arguments: "object", label: "string" },
  "tool_call.queued": { call_id: "string", job_id: "string", message: "string" },
  "tool_call.progress": { call_id: "string", progress: "number", message: "string" },
  "tool_call.result": { call_id: "string", ok: "boolean" },
  "confirmation.request": CARD,
  "confirmation.updated": CARD,
  "confirmation.resolved": { ...ID, decision: "string", channel: "string" },
  "confirmation.expired": ID,
  "session.ready": { capabilities: "object" },
  "session.resumed": STANDING,
  resync: { ...STANDING, messages: "list", pending_confirmations: "list" },
  "input.repeated": { in_reply_to: "string" },
  rate_limit: { retry_after_ms: "number", user_message: "string" },
  error: { code: "string", message: "string" },
};

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== "object" || value === null) return false;
  const { event_type, payload } = value as { event_type?: unknown; payload?: unknown };
  if (typeof event_type !== "string" || typeof payload !== "object" || payload === null) return false;
  const shape = Object.hasOwn(NEEDS, event_type) ? NEEDS[event_type] : {};
  return Object.entries(shape ?? {}).every(
    ([name, kind]) => kindOf((payload as Record<string, unknown>)[name]) === kind,
  );
}

/** A list with a hole in it is none. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.includes(null) ? "holes" : "list";
  return value === null ? "null" : typeof value;
}

/** Unique among all devices of a session, as the server asks for. */
export function newEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `evt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What a failure says to a person. */
export function personWords(failure: { user_message?: string; message?: string }): string {
  return failure.user_message || failure.message || "Something went wrong.";
}
