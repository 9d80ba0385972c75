/**
 * How far a turn is, for those who do not see it: that it thinks, once and only if it
 * takes a while, and what it works on, now and then.
 */
import { announce } from "./announcer.ts";
import type { Turn } from "./items.ts";

const THINKS_AFTER_MS = 1000;
const WORKS_EVERY_MS = 5000;

export class Progress {
  #turn = "";
  #thought = false;
  #told = "";
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The turn as it is now. */
  see(turn: Pick<Turn, "id" | "state" | "words"> | null): void {
    clearTimeout(this.#timer);
    if (!turn) return;
    if (turn.id !== this.#turn) this.#thought = false;
    this.#turn = turn.id;
    if (turn.state === "thinking" && !this.#thought) {
      this.#tellIn(THINKS_AFTER_MS, "Thinking");
    } else if (turn.state === "executing_tools" && turn.words && turn.words !== this.#told) {
      this.#tellIn(this.#toldAt + WORKS_EVERY_MS - performance.now(), `Working: ${turn.words}`, turn.words);
    }
  }

  #tellIn(waitMs: number, words: string, work = ""): void {
    this.#timer = setTimeout(() => {
      if (work) [this.#told, this.#toldAt] = [work, performance.now()];
      else this.#thought = true;
      announce(words);
    }, waitMs);
  }
}
