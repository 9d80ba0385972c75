/** Turns out of frames: what was going on in each, when, and how long people waited for it. */

import type { Envelope } from "../../sdk/wire.gen.ts";
import type { Payload } from "../../sdk/wire.ts";
import type { Mark, Span, Waterfall } from "../watch/waterfall.ts";
import type { Frame } from "./tape.ts";

/** The turns that the frames tell of, oldest first. */
export function turnsOf(frames: readonly Frame[]): string[] {
  const begun = frames.filter(({ type, way }) => way === "in" && type === "turn.start").map(({ turn }) => turn);
  return [...new Set(begun)];
}

/** The turn as far as it is known; nothing when its beginning is not. */
export function waterfallOf(
  frames: readonly Frame[],
  turn: string,
  played?: ReadonlyMap<string, number>,
): Waterfall | null {
  const own = frames.filter((frame) => frame.way === "in" && frame.turn === turn);
  const first = own.find(({ type }) => type === "turn.start");
  const event = first?.body as Envelope | undefined;
  if (!first || event?.event_type !== "turn.start") return null;
  const drawing = new Drawing(event, first.at);
  for (const frame of own) drawing.take(frame, played);
  return drawing.done();
}

/** A waterfall while its events come in. */
class Drawing {
  readonly #start: number;
  readonly #arrived: number;
  readonly #told: Waterfall;
  readonly #open = new Map<string, Span>();
  readonly #marks = new Map<string, number>();

  constructor(first: Envelope & { event_type: "turn.start" }, arrived: number) {
    this.#start = Date.parse(first.ts);
    this.#arrived = arrived;
    const { turn_id = "", session_id, ts, payload } = first;
    this.#told = {
      turn_id,
      session_id,
      started_at: ts,
      input_mode: payload.input_mode,
      outcome: "open",
      spans: [],
      marks: [],
    };
  }

  done(): Waterfall {
    const spans = this.#told.spans.toSorted((a, b) => a.start_us - b.start_us);
    const marks: Mark[] = [...this.#marks].map(([name, at_us]) => ({ name, at_us }));
    return { ...this.#told, spans, marks: marks.toSorted((a, b) => a.at_us - b.at_us) };
  }

  take({ at, body }: Frame, played?: ReadonlyMap<string, number>): void {
    const event = body as Envelope;
    const now = this.#since(event.ts, at);
    if (event.event_type !== "turn.start") this.#mark("first_event", now);
    switch (event.event_type) {
      case "state.change":
        this.#stateChanged(event.payload.from, event.payload.to, now);
        break;
      case "plan.update":
        this.#told.execution = event.payload.execution_mode;
        this.#told.reason = event.payload.reason;
        break;
      case "assistant_text.delta":
      case "assistant_text.final":
        this.#mark("first_token", now);
        break;
      case "tool_call.request": {
        const { call_id, tool_name, action_level } = event.payload;
        this.#mark("first_status", now);
        this.#begin(call_id, {
          kind: action_level === "write" ? "write" : "tool",
          name: tool_name,
          start_us: now,
          action_level,
        });
        break;
      }
      case "tool_call.result": {
        const { call_id, ok, state, error } = event.payload;
        this.#end(call_id, now, { state: state ?? (ok ? "done" : "failed"), ...(error && { error_code: error.code }) });
        break;
      }
      case "confirmation.request": {
        const { confirmation_request_id, tool_name } = event.payload;
        this.#begin(confirmation_request_id, { kind: "confirm", name: tool_name, start_us: now, state: "pending" });
        break;
      }
      case "confirmation.resolved": {
        const { confirmation_request_id, decision, channel } = event.payload;
        this.#end(confirmation_request_id, now, { state: `${decision}ed`.replace("eed", "ed"), channel });
        break;
      }
      case "confirmation.expired":
        this.#end(event.payload.confirmation_request_id, now, { state: "expired" });
        break;
      case "assistant_audio.start": {
        this.#mark("first_audio", now);
        const heardAt = played?.get(event.message_id ?? "");
        // Both are of this machine's clock; the event's own is of the server's.
        if (heardAt) this.#mark("first_played", now + Math.max(0, heardAt - at) * 1000);
        break;
      }
      case "turn.end":
        this.#over(event.payload.outcome, now);
        if (event.payload.error_code) this.#told.error_code = event.payload.error_code;
        this.#answered(event.payload);
        break;
      case "turn.cancelled":
        this.#over("cancelled", now);
        break;
      default:
    }
  }

  /**
   * Events that were written down together have one time, so it is by their arrival that
   * they are told apart. What is replayed arrives all at once, and has only its own time.
   */
  #since(ts: string, at: number): number {
    return Math.max(0, Date.parse(ts) - this.#start, at - this.#arrived) * 1000;
  }

  #stateChanged(from: string, to: string, now: number): void {
    this.#end(from, now, {});
    if (from === "listening" && to === "finalizing_input") this.#mark("end_of_speech", now);
    if (to === "listening") this.#begin(to, { kind: "listen", name: to, start_us: now });
    if (to === "finalizing_input") this.#begin(to, { kind: "finalize", name: to, start_us: now });
    if (to === "thinking") this.#begin(to, { kind: "understand", name: to, start_us: now });
    if (to === "speaking") this.#begin(to, { kind: "speak", name: to, start_us: now });
  }

  #answered({ tier = "reflex", model }: Payload<"turn.end">): void {
    this.#told.tier = tier;
    if (model) this.#told.models = [{ model }];
  }

  #over(outcome: string, now: number): void {
    this.#told.outcome = outcome;
    this.#told.took_us = now;
    for (const state of ["listening", "finalizing_input", "thinking", "speaking"]) this.#end(state, now, {});
  }

  #begin(key: string, span: Span): void {
    if (this.#open.has(key)) return;
    this.#open.set(key, span);
    this.#told.spans.push(span);
  }

  #end(key: string, end_us: number, how: Partial<Span>): void {
    const span = this.#open.get(key);
    if (!span) return;
    Object.assign(span, { end_us }, how);
    this.#open.delete(key);
  }

  /** The first one counts. */
  #mark(name: string, at_us: number): void {
    if (!this.#marks.has(name)) this.#marks.set(name, at_us);
  }
}
