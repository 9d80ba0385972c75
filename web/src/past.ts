/**
 * What was said before: on this device, to be read without a connection, and at the
 * server, to be read as far back as it goes.
 */
import { signal } from "@preact/signals";
import type { Bubble } from "../sdk/index.ts";
import type { House } from "./house.ts";
import { type Conversation, type Message, newMessage } from "./items.ts";
import { shelf } from "./shelf.ts";

const KEEP_AFTER_MS = 800;
/** So many pages are asked for at once, where they bring nothing that is not shown already. */
const MOST_PAGES = 40;

export class Past {
  /** Messages before those of the session that is open, oldest first. */
  readonly earlier = signal<readonly Message[]>([]);
  /** There is more before them. */
  readonly hasMore = signal(false);

  readonly #house: House;
  readonly #isShown: (id: string) => boolean;
  #thread = "";
  /** A page is on its way. */
  #isReading = false;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;

  /** `isShown`: it stands among what was said in the session that is open. */
  constructor(house: House, isShown: (id: string) => boolean) {
    this.#house = house;
    this.#isShown = isShown;
  }

  /** Another chat, or none. */
  open(thread: string): void {
    this.#thread = thread;
    this.#isReading = false;
    this.earlier.value = [];
    this.hasMore.value = false;
  }

  /** The newest page, once the server is there; what is known already is shown once. */
  async look(thread: string): Promise<void> {
    if (!thread || (this.#thread === thread && this.earlier.value.length)) return;
    this.#thread = thread;
    await this.#read("");
  }

  /** What is before the oldest message that is shown. */
  async more(): Promise<void> {
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const oldest = this.earlier.value[0];
      if (!this.hasMore.value || !oldest || (await this.#read(oldest.id))) return;
    }
  }

  /** A page; false where it brought only what is shown already. */
  async #read(before: string): Promise<boolean> {
    const thread = this.#thread;
    if (this.#isReading) return true;
    this.#isReading = true;
    const said = await this.#house.messages(thread, before).catch(() => null);
    if (thread !== this.#thread) return true;
    this.#isReading = false;
    if (!said) return true;
    this.earlier.value = [...said.messages.map(toMessage), ...(before ? this.earlier.value : [])];
    this.hasMore.value = said.next !== null;
    return said.messages.some(({ message_id }) => !this.#isShown(message_id ?? ""));
  }

  // On this device

  keepLater(what: () => { thread: string; title: string; conversation: Conversation } | null): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = setTimeout(() => this.keep(what()), KEEP_AFTER_MS);
  }

  keep(what: { thread: string; title: string; conversation: Conversation } | null): void {
    clearTimeout(this.#keepTimer);
    if (!what?.thread) return;
    const { thread, title, conversation } = what;
    const isSettled = (one: Message) => one.phase === "settled" || one.phase === "stopped";
    const now = conversation.items.filter((item): item is Message => item.kind === "message" && isSettled(item));
    if (!now.length) return;
    const known = new Set(now.map(({ id }) => id));
    const before = thread === this.#thread ? this.earlier.value.filter(({ id }) => !known.has(id)) : [];
    void shelf.keep(thread, title, [...before, ...now]);
  }
}

function toMessage(bubble: Bubble): Message {
  const { role, text, attachments = [] } = bubble;
  const message = newMessage(bubble, role === "user" ? "user" : "assistant", "settled");
  return { ...message, text, stable: text.length, attachments };
}
