/**
 * Files that go with the next words: handed over at once, named when the words are
 * sent. What was refused says why until somebody has read it.
 */
import { type Signal, signal } from "@preact/signals";
import type { Door } from "../sdk/index.ts";
import { announce } from "./announcer.ts";
import type { KeptFile } from "./drafts.ts";

export type Attachment = {
  key: number;
  name: string;
  bytes: number;
  type: string;
  progress: number;
  id: string;
  problem: string;
  /** Of a picture: where the page has it to show. */
  picture: string;
};

const NEW = { progress: 0, id: "", problem: "", picture: "" };

export const MOST_BYTES = 25 * 1024 * 1024;
export const MOST_FILES = 20;

let keys = 0;

/** Pictures that were sent from this page, by the name the server has for them: nobody else gives them back. */
const sent = new Map<string, string>();

export function pictureOf(file: string): string {
  return sent.get(file) ?? "";
}

export class Tray {
  readonly files = signal<readonly Attachment[]>([]);
  readonly #door: Door;
  readonly #originals = new Map<number, File>();
  readonly #underWay = new Map<number, { done: Promise<string>; stop(): void }>();

  constructor(door: Door) {
    this.#door = door;
  }

  add(picked: Iterable<File>): void {
    for (const file of picked) {
      const key = ++keys;
      const one = { ...NEW, key, name: file.name || "pasted file", bytes: file.size, type: file.type };
      const problem = this.#problemOf(file);
      const picture = !problem && file.type.startsWith("image/") ? URL.createObjectURL(file) : "";
      this.files.value = [...this.files.value, { ...one, problem, picture }];
      if (problem) announce(`${one.name}: ${problem}`);
      else this.#handOver(key, file);
      this.#originals.set(key, file);
    }
  }

  /** What was handed over before the page was left, where nothing was since. */
  restore(kept: readonly KeptFile[]): void {
    if (this.files.value.length) return;
    this.files.value = kept.map((one) => ({ ...NEW, ...one, key: ++keys, progress: 1 }));
  }

  /** What a picture shows, for those who do not see it: it is called by that, and handed over again under it. */
  describe(key: number, words: string): void {
    const file = this.#originals.get(key);
    const one = this.files.value.find((one) => one.key === key);
    if (!file || !one || one.problem) return;
    const name = calledBy(words, file.name);
    if (name === one.name) return;
    this.#stop(key);
    this.#takeBack(one.id);
    this.#change(key, { name, id: "", progress: 0 });
    this.#handOver(key, new File([file], name, { type: file.type }));
  }

  /** Takes a file back, also from the server. */
  drop(key: number): void {
    const file = this.files.value.find((one) => one.key === key);
    this.#stop(key);
    this.#keepOnly((one) => one.key !== key);
    this.#takeBack(file?.id ?? "");
  }

  /** What is on its way, until all is here, or why some of it is not; nothing where nothing is. */
  get coming(): Promise<string> | null {
    const ways = [...this.#underWay.values()].map(({ done }) => done);
    return ways.length ? Promise.all(ways).then((problems) => problems.find(Boolean) ?? "") : null;
  }

  /** The ids of what is there, once; the tray is empty afterwards. */
  take(): string[] {
    const ids = this.files.value.flatMap(({ id }) => (id ? [id] : []));
    for (const { id, picture } of this.files.value) if (id && picture) sent.set(id, picture);
    this.#keepOnly(({ id, problem }) => !id && !problem);
    return ids;
  }

  #keepOnly(isKept: (one: Attachment) => boolean): void {
    for (const one of this.files.value) {
      if (isKept(one)) continue;
      this.#originals.delete(one.key);
      if (one.picture && !sent.has(one.id)) URL.revokeObjectURL(one.picture);
    }
    this.files.value = this.files.value.filter(isKept);
  }

  #takeBack(id: string): void {
    if (id) void this.#door.fetch(`/chat/attachment/${id}`, { method: "DELETE" }).catch(() => undefined);
  }

  /** Nobody waits for it any more. */
  #stop(key: number): void {
    const way = this.#underWay.get(key);
    this.#underWay.delete(key);
    way?.stop();
  }

  #problemOf(file: File): string {
    if (file.size > MOST_BYTES) return "larger than 25 MB";
    if (file.size === 0) return "empty";
    return this.files.value.length >= MOST_FILES ? `only ${MOST_FILES} files at once` : "";
  }

  #handOver(key: number, file: File): void {
    // How a file is handed over is brought with the first one.
    const way = import("./upload.ts").then(
      ({ upload }) => upload(this.#door, file, (progress) => this.#change(key, { progress })),
      () => Promise.reject(new Error("offline")),
    );
    const stop = () =>
      void way.then(
        (way) => way.stop(),
        () => undefined,
      );
    const done = way.then((way) => way.done);
    const isWanted = () => this.#underWay.get(key)?.stop === stop;
    const settled = done
      .then((id) => {
        if (isWanted()) this.#change(key, { id, progress: 1 });
        else this.#takeBack(id);
        return "";
      })
      .catch(({ message }: Error) => {
        if (!isWanted()) return "";
        this.#change(key, { problem: message });
        announce(`${file.name}: ${message}`);
        return `${file.name}: ${message}`;
      })
      .finally(() => isWanted() && this.#underWay.delete(key));
    this.#underWay.set(key, { done: settled, stop });
  }

  #change(key: number, change: Partial<Attachment>): void {
    this.files.value = this.files.value.map((one) => (one.key === key ? { ...one, ...change } : one));
  }
}

/** A tray for each chat: what was attached in one does not follow into another. */
export class Trays {
  readonly open: Signal<Tray>;
  readonly #door: Door;
  readonly #others = new Map<string, Tray>();

  constructor(door: Door) {
    this.#door = door;
    this.open = signal(new Tray(door));
  }

  /** From one chat to another; one that has not begun has no name yet. */
  move(from: string, to: string): void {
    this.#others.set(from, this.open.value);
    this.open.value = this.#others.get(to) ?? new Tray(this.#door);
    this.#others.delete(to);
  }

  /** Nothing of it stays, nor of the pictures that were sent. */
  clear(): void {
    for (const picture of sent.values()) URL.revokeObjectURL(picture);
    sent.clear();
    this.#others.clear();
    this.open.value = new Tray(this.#door);
  }
}

/** Of a box and its files, what is sent: files alone are a question too. Nothing where there is nothing. */
export function wordsToSend(text: string, files: readonly Pick<Attachment, "problem">[]): string {
  const words = text.trim();
  const usable = files.filter(({ problem }) => !problem).length;
  if (words || !usable) return words;
  return usable === 1 ? "What is in this?" : "What is in these?";
}

/** What somebody says a picture shows, as the name of a file: its ending stays, and nothing in it is a path. */
export function calledBy(words: string, name: string): string {
  const shown = words.replaceAll(/[/\\]/g, "-").trim();
  const ending = name.match(/\.[^.]{1,9}$/)?.[0] ?? "";
  return shown ? `${shown}${ending}` : name || "pasted file";
}
