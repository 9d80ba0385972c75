/** Words that are said by pressing something: a second press of the same finger, or a key that is held, says nothing. */
import type { Waiting } from "../sdk/index.ts";

/** Nobody decides twice so soon; what is under the finger by then may be something else. */
const ONE_PRESS_MS = 700;

export class Pressed {
  #words = "";
  #at = Number.NEGATIVE_INFINITY;

  /** False where it is the press before once more: what that one said is still on its way, or being worked on. */
  isMeant(words: string, now: number, waiting: readonly Pick<Waiting, "text" | "problem">[], isBusy: boolean): boolean {
    const isOnItsWay = waiting.some(({ text, problem }) => text === this.#words && !problem);
    if (now - this.#at < ONE_PRESS_MS || isOnItsWay || (isBusy && words === this.#words)) return false;
    this.#words = words;
    this.#at = now;
    return true;
  }
}
