/**
 * What travels between a client and the server, and how it is read. The types are
 * made from the server's own; nothing here adds to them.
 */
import type { ClientEvent, Envelope, Event } from "../src/wire.gen.ts";

export type * from "../src/wire.gen.ts";

export type EventType = Event["event_type"];
export type Payload<T extends EventType> = Extract<Event, { event_type: T }>["payload"];
export type EnvelopeOf<T extends EventType> = Envelope & { event_type: T; payload: Payload<T> };
export type Failure = Payload<"error">;

/** Says an earlier message once more. */
export type Replay = { event_type: "playback.replay"; payload: { message_id: string } };
export type Outgoing = ClientEvent | Replay;

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

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== "object" || value === null) return false;
  const { event_type, payload } = value as { event_type?: unknown; payload?: unknown };
  return typeof event_type === "string" && typeof payload === "object" && payload !== null;
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
