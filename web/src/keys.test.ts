/** What Esc is taken for, by where it was pressed. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Keys } from "./keys.ts";

/** As much of an element as a key asks for. */
class Element {
  blurred = 0;
  readonly tagName: string;
  readonly id: string;
  readonly value: string;
  readonly #within: string;

  constructor(tagName: string, { id = "", value = "", within = "" } = {}) {
    this.tagName = tagName;
    this.id = id;
    this.value = value;
    this.#within = within;
  }

  closest(selector: string): Element | null {
    return this.#within && selector.includes(this.#within) ? this : null;
  }

  blur(): void {
    this.blurred += 1;
  }
}

const body = new Element("BODY");
const listeners = new Map<string, (event: unknown) => void>();

beforeEach(() => {
  listeners.clear();
  vi.stubGlobal("HTMLElement", Element);
  vi.stubGlobal("document", { body });
  vi.stubGlobal("navigator", { platform: "Linux" });
  vi.stubGlobal("addEventListener", (name: string, listener: () => void) => listeners.set(name, listener));
});

/** What was stopped, and whether that may be an answer to a card. */
async function escapeFrom(target: Element): Promise<boolean[]> {
  const stops: boolean[] = [];
  const { listenForKeys } = await import("./keys.ts");
  const stop = (mayAnswer: boolean) => stops.push(mayAnswer) > 0;
  listenForKeys({ stop } as unknown as Keys);
  listeners.get("keydown")?.({ key: "Escape", target, preventDefault() {} });
  return stops;
}

test("Esc says no to a card only from where one writes, reads or answers", async () => {
  const box = new Element("TEXTAREA", { id: "words", within: "footer" });
  const card = new Element("BUTTON", { within: "[data-scroller]" });
  for (const place of [body, box, card]) expect(await escapeFrom(place)).toEqual([true]);

  const rail = new Element("BUTTON");
  const written = new Element("TEXTAREA", { id: "words", value: "Wait", within: "footer" });
  for (const place of [rail, written]) expect(await escapeFrom(place)).toEqual([false]);
});

test("Esc in another field leaves the field, and stops nothing", async () => {
  const search = new Element("INPUT", { id: "chat-search" });

  expect(await escapeFrom(search)).toEqual([]);

  expect(search.blurred).toBe(1);
});
