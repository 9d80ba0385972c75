/**
 * What is being written in each chat: kept on this device while it is written, and in
 * the box again when the chat is opened.
 */
import { signal } from "@preact/signals";
import { shelf } from "./shelf.ts";

const KEPT_AFTER_MS = 400;
/** A chat that has not begun has no name. */
const UNNAMED = "new";

export class Drafts {
  /** What was put in the box last; another key means once more. */
  readonly shown = signal({ key: 0, text: "" });
  #chat = "";
  #text = "";
  #openings = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Another chat: what was being written there. Whoever writes already is not interrupted by it. */
  async open(chat: string): Promise<void> {
    this.leave();
    const opening = ++this.#openings;
    this.#chat = chat;
    this.#show("");
    const text = await shelf.draft(chat || UNNAMED);
    if (opening === this.#openings && text && !this.#text) this.put(text);
  }

  /** The chat has begun, or goes on as another one: for whoever writes in it, it is the same. */
  rename(chat: string): void {
    if (chat === this.#chat) return;
    void shelf.keepDraft(this.#chat || UNNAMED, "");
    this.#chat = chat;
    if (this.#text) this.write(this.#text);
  }

  /** Words that go into the box. */
  put(text: string): void {
    this.#show(text);
    this.write(text);
  }

  /** What stands in the box now. */
  write(text: string): void {
    this.#text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(), KEPT_AFTER_MS);
  }

  /** Keeps what is not kept yet. */
  leave(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void shelf.keepDraft(this.#chat || UNNAMED, this.#text);
  }

  /** Nothing is written any more, and nothing more of it kept. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#openings += 1;
    this.#chat = "";
    this.#show("");
  }

  #show(text: string): void {
    this.#text = text;
    this.shown.value = { key: this.shown.value.key + 1, text };
  }
}
