/**
 * What is being written in each chat: words, files that were handed over, changes to a
 * card. Kept on this device while it is written, and there again when the chat is
 * opened. Nothing of it is ever sent from here.
 */
import { signal } from "@preact/signals";
import { tabPocket } from "../sdk/index.ts";
import type { Attachment } from "./attach.ts";
import { shelf } from "./shelf.ts";
import type { Entry } from "./ui/editing.ts";

const KEPT_AFTER_MS = 400;
/** A chat that has not begun has no name. */
const UNNAMED = "new";

export type KeptFile = Pick<Attachment, "id" | "name" | "bytes" | "type">;
/** What somebody was changing in a card, as it stood then. */
export type KeptEdit = { revision: number; entries: Entry[] };
export type Draft = {
  text: string;
  files: readonly KeptFile[];
  /** By the card they belong to. */
  edits: Readonly<Record<string, KeptEdit>>;
};

const NOTHING: Draft = { text: "", files: [], edits: {} };

export class Drafts {
  /** What was put in the box last; another key means once more. */
  readonly shown = signal({ key: 0, text: "" });
  readonly edits = signal(NOTHING.edits);
  /** What this window was writing, and where; another one may have sent what the device keeps. */
  readonly #own = tabPocket("sayso.draft");
  readonly #restore: (files: readonly KeptFile[]) => void;
  #chat = "";
  #text = "";
  #files = NOTHING.files;
  #openings = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `restore` takes the files of a chat that is opened. */
  constructor(restore: (files: readonly KeptFile[]) => void) {
    this.#restore = restore;
  }

  /** Another chat: what was being written there. Whoever writes already is not interrupted by it. */
  async open(chat: string): Promise<void> {
    this.leave();
    const opening = this.#forget();
    this.#chat = chat;
    const { text, files, edits } = { ...NOTHING, ...(await shelf.draft(this.#name)) };
    if (opening !== this.#openings) return;
    this.edits.value = { ...edits, ...this.edits.value };
    const own = this.#own.read();
    const mine = own.startsWith(this.#place) ? own.slice(this.#place.length) : text;
    if (mine && !this.#text) this.put(mine);
    this.#restore(files);
  }

  /** The chat has begun, or goes on as another one: for whoever writes in it, it is the same. */
  rename(chat: string): void {
    if (chat === this.#chat) return;
    void shelf.keepDraft(this.#name, NOTHING);
    this.#chat = chat;
    this.#keepLater();
  }

  /** Words that go into the box. */
  put(text: string): void {
    this.#show(text);
    this.write(text);
  }

  /** What stands in the box now. */
  write(text: string): void {
    this.#text = text;
    this.#keepLater();
  }

  /** What lies in the tray now. */
  keepFiles(files: readonly Attachment[]): void {
    const here = files.flatMap(({ id, name, bytes, type }) => (id ? [{ id, name, bytes, type }] : []));
    if (!here.length && !this.#files.length) return;
    this.#files = here;
    this.#keepLater();
  }

  /** What somebody has changed in a card; nothing once they have answered it, or where it is as it was. */
  keepEdit(card: string, edit: KeptEdit | null): void {
    const { [card]: before, ...others } = this.edits.value;
    if (!before && !edit) return;
    this.edits.value = edit ? { ...others, [card]: edit } : others;
    this.#keepLater();
  }

  /** Keeps what is not kept yet. */
  leave(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = { text: this.#text, files: this.#files, edits: this.edits.value };
    this.#own.write(this.#text && this.#place + this.#text);
    void shelf.keepDraft(this.#name, draft);
  }

  /** Nothing is written any more, and nothing more of it kept. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#own.write("");
    this.#forget();
  }

  get #name(): string {
    return this.#chat || UNNAMED;
  }

  /** What this window writes begins with where. */
  get #place(): string {
    return `${this.#name}\n`;
  }

  #forget(): number {
    this.#chat = "";
    this.#files = [];
    this.edits.value = {};
    this.#show("");
    return ++this.#openings;
  }

  #keepLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.leave(), KEPT_AFTER_MS);
  }

  #show(text: string): void {
    this.#text = text;
    this.shown.value = { key: this.shown.value.key + 1, text };
  }
}
