/**
 * Answers to cards, from the tap until the server has taken them. One is on its way
 * at a time; none is ever kept for later.
 */
import { signal } from "@preact/signals";
import type { Sayso } from "../sdk/index.ts";
import type { Channel, Choice, Failure, Touch } from "../sdk/wire.ts";
import { personWords } from "../sdk/wire.ts";
import type { CardItem } from "./items.ts";

export type Pending = { eventId: string; decision: Choice };
type ByCard<T> = Readonly<Record<string, T>>;

const ANSWER_WITHIN_MS = 20_000;
const EXTEND_EVERY_MS = 120_000;
/** Failures after which a card cannot be answered any more; the news that closes it says enough. */
const TOO_LATE = ["confirmation_resolved", "confirmation_expired", "unknown_confirmation"];

export class Answers {
  readonly pending = signal<ByCard<Pending>>({});
  readonly problems = signal<ByCard<string>>({});
  /** What was answered from this window, by the id of its frame. */
  readonly #given = new Set<string>();
  readonly #elsewhere = new Set<string>();
  readonly #extended = new Map<string, number>();
  readonly #extends = new Set<string>();
  /** When something was answered here last: a second click is not meant for the next card. */
  answeredAt = Number.NEGATIVE_INFINITY;

  readonly #sayso: Sayso;
  readonly #tell: (words: string) => void;

  constructor(sayso: Sayso, tell: (words: string) => void) {
    this.#sayso = sayso;
    this.#tell = tell;
  }

  give({ id, question }: CardItem, decision: Choice, channel: Touch, edited?: Record<string, unknown>): boolean {
    if (this.pending.value[id]) return false;
    const eventId = this.#sayso.answer(id, question.revision, decision, channel, edited);
    if (!eventId) return false;
    this.#given.add(eventId);
    this.answeredAt = performance.now();
    this.pending.value = { ...this.pending.value, [id]: { eventId, decision } };
    this.complain(id, "");
    setTimeout(() => this.#doubt(id, eventId), ANSWER_WITHIN_MS);
    return true;
  }

  /** That frame was an answer from this window. */
  gave(frame: string): boolean {
    return this.#given.has(frame);
  }

  /** Was it this window that answered so? */
  isOurs(card: CardItem): boolean {
    const by = card.answer?.inReplyTo ?? "";
    return this.gave(by) || (card.talkedBy !== "" && by === card.talkedBy);
  }

  /** Somebody answered it on another device while we looked. */
  isElsewhere(card: string): boolean {
    return this.#elsewhere.has(card);
  }

  /** It was answered, just now, by whoever sent that frame. */
  hear(card: string, channel: Channel, by: string): void {
    const isTouched = channel === "click" || channel === "key";
    if (isTouched && !this.gave(by)) this.#elsewhere.add(card);
  }

  /** Somebody reads or writes there: it should not close under their eyes. */
  extend(card: string, isAsked = false): void {
    const now = performance.now();
    const last = this.#extended.get(card);
    if (last === undefined && !isAsked) this.#extended.set(card, now);
    if (!isAsked && now - (last ?? now) < EXTEND_EVERY_MS) return;
    const eventId = this.#sayso.extend(card);
    if (!eventId) return;
    this.#extends.add(eventId);
    this.#extended.set(card, now);
  }

  /** The card is decided, or has come back changed. */
  settle(card: string): void {
    const { [card]: _, ...rest } = this.pending.value;
    this.pending.value = rest;
  }

  complain(card: string, words: string): void {
    this.problems.value = { ...this.problems.value, [card]: words };
  }

  /** True when the failure is about an answer of ours. */
  refuse(eventId: string, failure: Failure): boolean {
    if (this.#extends.delete(eventId)) return true;
    const [card] = Object.entries(this.pending.value).find(([, one]) => one.eventId === eventId) ?? [];
    if (!card) return false;
    this.settle(card);
    const words = personWords(failure);
    if (TOO_LATE.includes(failure.code)) this.#tell(words);
    else this.complain(card, failure.code === "bad_edit" ? `${words} (${failure.message})` : words);
    return true;
  }

  /** The link is back and these cards are still open: answers to them were lost on the way. */
  backLive(open: readonly string[]): void {
    for (const card of open.filter((id) => this.pending.value[id])) {
      this.settle(card);
      this.complain(card, "Your answer did not arrive. Please give it again.");
    }
  }

  clear(): void {
    this.pending.value = {};
    this.problems.value = {};
  }

  #doubt(card: string, eventId: string): void {
    if (this.pending.value[card]?.eventId !== eventId) return;
    this.settle(card);
    this.complain(card, "No word from the server yet. You can answer again; it will not be done twice.");
  }
}
