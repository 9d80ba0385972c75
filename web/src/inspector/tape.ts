/**
 * Everything that went over the wire, both ways, as it went: the last two thousand
 * frames. Filled from the moment the page begins; looked at when the drawer is open.
 */
import { signal } from "@preact/signals";
import type { Envelope } from "../../sdk/wire.gen.ts";

export type Way = "in" | "out";

/** What we sent, as it stands on the wire. */
export type Sent = { event_id: string; event_type: string; payload: object };

/** One frame. `number` never repeats, also when older ones are gone. */
export type Frame = {
  number: number;
  way: Way;
  /** When it was here, in milliseconds of `Date.now`. */
  at: number;
  type: string;
  turn: string;
  body: Envelope | Sent;
};

/** How loud somebody was in a tenth of a second; 0 is nothing. */
export type Beat = { at: number; heard: number; spoken: number };

const RING = 2000;
const BEAT_MS = 100;
const BEATS = 600;

export class Tape {
  /** Grows by one with everything that is new, at most once a picture. */
  readonly changes = signal(0);
  frames: Frame[] = [];
  beats: Beat[] = [];
  /** When the first sound of a message was really heard, by message. */
  readonly played = new Map<string, number>();
  stalls = 0;
  soundLost = 0;
  #number = 0;
  #isTold = false;

  heard(body: Envelope, at = Date.now()): void {
    this.#add({ way: "in", at, type: body.event_type, turn: body.turn_id ?? "", body });
  }

  sent(body: Sent, at = Date.now()): void {
    this.#add({ way: "out", at, type: body.event_type, turn: "", body });
  }

  /** Sound that was sent, or played. */
  loud(who: "heard" | "spoken", loudest: number, at = Date.now()): void {
    const start = at - (at % BEAT_MS);
    let last = this.beats.at(-1);
    if (last?.at !== start) {
      last = { at: start, heard: 0, spoken: 0 };
      this.beats = [...this.beats.slice(-(BEATS - 1)), last];
    }
    last[who] = Math.max(last[who], loudest);
    this.#tell();
  }

  began(message: string, at = Date.now()): void {
    if (message && !this.played.has(message)) this.played.set(message, at);
  }

  stalled(): void {
    this.stalls += 1;
    this.#tell();
  }

  lost(): void {
    this.soundLost += 1;
    this.#tell();
  }

  clear(): void {
    this.frames = [];
    this.beats = [];
    this.#tell();
  }

  #add(frame: Omit<Frame, "number">): void {
    this.#number += 1;
    this.frames.push({ number: this.#number, ...frame });
    if (this.frames.length > RING + 200) this.frames = this.frames.slice(-RING);
    this.#tell();
  }

  /** However much comes, the screen is told once a picture. */
  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const tell = () => {
      this.#isTold = false;
      this.changes.value += 1;
    };
    if (typeof requestAnimationFrame === "function" && !document.hidden) requestAnimationFrame(tell);
    else setTimeout(tell, 100);
  }
}
