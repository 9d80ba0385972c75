/** Chats in which a card waits for an answer, besides the one that is open. */
import { signal } from "@preact/signals";
import type { House, Thread } from "./house.ts";

export function isWaiting({ waits_until }: Pick<Thread, "waits_until">, now: number): boolean {
  return waits_until != null && Date.parse(waits_until) > now;
}

export class Waits {
  /** How many of them there are. */
  readonly elsewhere = signal(0);
  readonly #house: House;
  #looks = 0;

  constructor(house: House) {
    this.#house = house;
  }

  /** Asks the server; without one, nothing is claimed. */
  async look(current: string, now: number): Promise<void> {
    const look = ++this.#looks;
    const { threads } = await this.#house.threads("").catch(() => ({ threads: [] }));
    if (look !== this.#looks) return;
    this.elsewhere.value = threads.filter((one) => one.thread_id !== current && isWaiting(one, now)).length;
  }
}
