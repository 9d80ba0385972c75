/**
 * Words that wait lie on this device, so that they outlive their window. Every page has a place of
 * its own for them. What a page that is gone has left is taken up by the next one that looks, and by
 * one alone: whoever holds the lock of a place is that page, or its heir.
 */
import { newEventId, type Pocket, tabPocket } from "../sdk/index.ts";
import { shelf } from "./shelf.ts";

const PLACE = "sayso.outbox.";

export class Left implements Pocket {
  readonly #place = PLACE + newEventId();
  readonly #tab = tabPocket("sayso.page");
  readonly #key = tabPocket("sayso.key");
  /** Where the page lay its words that was in this tab before. */
  readonly #before = this.#tab.read();

  constructor() {
    this.#tab.write(this.#place);
    // Held until this page is gone.
    void navigator.locks?.request(this.#place, () => new Promise(() => {}));
  }

  read(): string {
    return quietly(() => localStorage.getItem(this.#place)?.slice(this.#whose.length)) ?? "";
  }

  write(words: string): void {
    quietly(() => {
      if (words && !shelf.isWiped) localStorage.setItem(this.#place, this.#whose + words);
      else localStorage.removeItem(this.#place);
    });
  }

  /** Hands over what was left. One that `waits` also gets what the page before is only just leaving. */
  async takeUp(give: (words: string) => void, waits = false): Promise<void> {
    await Promise.all(places().map((place) => place !== this.#place && this.#takeFrom(place, give, waits)));
  }

  /** Of nobody anything is left on this device. */
  wipe(): void {
    this.#tab.write("");
    for (const place of places()) localStorage.removeItem(place);
  }

  #takeFrom(place: string, give: (words: string) => void, waits: boolean): unknown {
    const isOurs = place === this.#before;
    const take = () => {
      const left = localStorage.getItem(place) ?? "";
      if (!left.startsWith(`${this.#whose}[`)) return;
      give(left.slice(this.#whose.length));
      localStorage.removeItem(place);
    };
    // Without locks nobody can tell whether a page is gone, except the one that was here.
    if (!navigator.locks) return isOurs && take();
    return navigator.locks.request(place, { ifAvailable: !(isOurs && waits) }, (lock) => lock && take());
  }

  /** A trace of the key they were written under: words are never sent in somebody else's name. */
  get #whose(): string {
    const letters = [...this.#key.read()];
    return letters.length ? letters.reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) >>> 0, 7).toString(36) : "";
  }
}

function places(): string[] {
  return quietly(() => Object.keys(localStorage).filter((name) => name.startsWith(PLACE))) ?? [];
}

/** Storage may be forbidden or full: then nothing is kept, and nothing breaks. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
