/**
 * What the person wrote, from the box until the server has heard it. The same words
 * go under the same id however often they are sent, so they are heard once.
 */
import type { Pocket } from "./door.ts";
import { newEventId, type Outgoing } from "./wire.ts";

export type Waiting = {
  eventId: string;
  /** The chat they were written in; empty for one that has not begun. They go nowhere else. */
  thread: string;
  text: string;
  attachments: string[];
  ts: string;
  /** Files that it is about are on their way. */
  isComing: boolean;
  isSent: boolean;
  /** It was written before the link came back: a card may have come up meanwhile. */
  isLate: boolean;
  /** A card was open when it was written: whether it goes is asked again. */
  hadCard: boolean;
  /** Why it stays here, in words for a person, and what may be done about it. */
  problem?: string;
  remedy?: "send" | "again" | "edit";
};

export type Wire = {
  send(eventId: string, event: Outgoing): boolean;
  isThere(): boolean;
  /** The chat that is open; empty for one that has not begun. */
  thread(): string;
  /** Cards that a sentence could be taken as an answer to. */
  hasOpenCards(): boolean;
  /** What time it is at the server, so that words keep their place among what it heard. */
  now(): number;
};

const CARD_WAITS = "Not sent: a card waits for an answer";

export class Outbox {
  readonly #wire: Wire;
  readonly #pocket: Pocket;
  readonly #changed: (waiting: readonly Waiting[]) => void;
  #waiting: Waiting[] = [];

  constructor(wire: Wire, pocket: Pocket, changed: (waiting: readonly Waiting[]) => void) {
    this.#wire = wire;
    this.#pocket = pocket;
    this.#changed = changed;
    this.#waiting = restored(pocket.read(), wire.thread());
    if (this.#waiting.length) changed(this.#waiting);
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** Those of the chat that is open. */
  get here(): readonly Waiting[] {
    const open = this.#wire.thread();
    return this.#waiting.filter(({ thread }) => thread === open);
  }

  /** Words of a page that is gone: they go as if they had been written here, under their ids. */
  inherit(left: string): void {
    const known = new Set(this.#waiting.map(({ eventId }) => eventId));
    const words = restored(left, this.#wire.thread()).filter(({ eventId }) => !known.has(eventId));
    this.#set([...words, ...this.#waiting]);
    this.flush();
  }

  /** Takes words up; those that wait for files are sent when `arrive` names them. */
  say(text: string, attachments: string[] = [], isComing = false): Waiting {
    const one: Waiting = {
      eventId: newEventId(),
      thread: this.#wire.thread(),
      text,
      attachments,
      ts: new Date(this.#wire.now()).toISOString(),
      isComing,
      isSent: false,
      isLate: isComing,
      hadCard: this.#wire.hasOpenCards(),
    };
    this.#set([...this.#waiting, one]);
    this.flush();
    return one;
  }

  /** The files of these words are here; where one is not, whether they go without it is asked. */
  arrive(eventId: string, attachments: string[], missing = ""): void {
    const held = missing ? { problem: `Not sent: ${missing}`, remedy: "send" as const } : {};
    this.#change(eventId, { attachments, isComing: false, ...held });
    this.flush();
  }

  /** The chat is another one from now on for the server; for whoever wrote in it, it is the same. */
  rename(from: string, to: string): void {
    this.#set(this.#waiting.map((one) => (one.thread === from ? { ...one, thread: to } : one)));
  }

  /** Sends what is not sent yet in the chat that is open, in the order it was written. */
  flush(): void {
    for (const one of this.here) {
      if (one.isSent || one.problem) continue;
      if (one.isComing) break; // what was written after it stays behind it
      // While nobody is there nothing is decided: the card may be gone by then.
      if (one.isLate && this.#wire.isThere() && this.#wire.hasOpenCards()) {
        this.#change(one.eventId, { problem: CARD_WAITS, remedy: "send" });
        continue;
      }
      const payload = { text: one.text, source: "keyboard", attachments: one.attachments };
      const isSent = this.#wire.send(one.eventId, { event_type: "text.input", payload });
      this.#change(one.eventId, isSent ? { isSent } : { isLate: true });
    }
  }

  /** What was on its way when the link broke goes again; the server tells whether it knew it. */
  doubt(): void {
    this.#set(this.#waiting.map((one) => (one.isSent ? { ...one, isSent: false, isLate: true } : one)));
    this.flush();
  }

  /** The person has looked at it and wants it sent as it is. */
  sendAgain(eventId: string): void {
    const one = this.#waiting.find((other) => other.eventId === eventId);
    if (!one) return;
    const again = { ...one, problem: undefined, remedy: undefined, isSent: false, isLate: false };
    this.#set([...this.#waiting.filter((other) => other !== one), again]);
    this.flush();
  }

  /** The server has heard it, or the person has taken it back. */
  take(eventId: string | null | undefined): Waiting | undefined {
    const one = this.#waiting.find((other) => other.eventId === eventId);
    if (one) this.#set(this.#waiting.filter((other) => other !== one));
    return one;
  }

  /** The server did not take these words. False when they are not ours. */
  refuse(eventId: string | null | undefined, problem: string, isRetryable: boolean): boolean {
    if (!eventId || !this.#waiting.some((one) => one.eventId === eventId)) return false;
    this.#change(eventId, { problem, remedy: isRetryable ? "again" : "edit" });
    return true;
  }

  /** The chat is gone, and what waited in it. */
  drop(thread: string): void {
    this.#set(this.#waiting.filter((one) => one.thread !== thread));
  }

  clear(): void {
    this.#set([]);
  }

  #change(eventId: string, change: Partial<Waiting>): void {
    this.#set(this.#waiting.map((one) => (one.eventId === eventId ? { ...one, ...change } : one)));
  }

  #set(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#pocket.write(waiting.length ? JSON.stringify(waiting) : "");
    this.#changed(waiting);
  }
}

/** What was not heard before the page was left. Files that were on their way are lost with it. */
function restored(text: string, thread: string): Waiting[] {
  try {
    const ones: unknown = JSON.parse(text || "[]");
    if (!Array.isArray(ones)) return [];
    const again = { isSent: false, isLate: true, isComing: false };
    return (ones as Waiting[]).map((one) => ({ ...one, ...again, thread: one.thread ?? thread }));
  } catch {
    return [];
  }
}
