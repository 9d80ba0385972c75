/** What this device keeps, and what it does not keep any more. Every `tab` is a page of its own. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Drafts } from "./drafts.ts";
import { newMessage } from "./items.ts";

class Asked {
  result: unknown;
  onsuccess: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onblocked: (() => void) | null = null;
  onupgradeneeded: (() => void) | null = null;

  static for(work: () => unknown): Asked {
    const asked = new Asked();
    queueMicrotask(() => {
      asked.result = work();
      asked.onsuccess?.();
    });
    return asked;
  }
}

type Stores = Map<string, Map<string, { thread: string }>>;

/** As much of a browser's database as is used here; one that somebody holds on to cannot be deleted. */
class Device {
  stores: Stores | null = null;
  readonly open = () => {
    const asked = Asked.for(() => {
      const isNew = this.stores === null;
      this.stores ??= new Map();
      const db = new Connection(this.stores, this);
      asked.result = db;
      this.held.add(db);
      if (isNew) asked.onupgradeneeded?.();
      return db;
    });
    return asked;
  };
  readonly held = new Set<Connection>();

  deleteDatabase(): Asked {
    const asked = new Asked();
    queueMicrotask(() => {
      for (const db of [...this.held]) db.onversionchange?.();
      if (this.held.size) return asked.onblocked?.();
      this.stores = null;
      asked.onsuccess?.();
    });
    return asked;
  }

  kept(store: string): string[] {
    return [...(this.stores?.get(store)?.keys() ?? [])];
  }
}

class Connection {
  onversionchange: (() => void) | null = null;
  readonly #stores: Stores;
  readonly #device: Device;

  constructor(stores: Stores, device: Device) {
    this.#stores = stores;
    this.#device = device;
  }

  get objectStoreNames(): string[] {
    return [...this.#stores.keys()];
  }

  createObjectStore(name: string): void {
    this.#stores.set(name, new Map());
  }

  close(): void {
    this.#device.held.delete(this);
  }

  transaction(name: string) {
    const store = this.#stores.get(name) ?? new Map<string, { thread: string }>();
    return {
      objectStore: () => ({
        put: (one: { thread: string }) => Asked.for(() => store.set(one.thread, one)),
        get: (thread: string) => Asked.for(() => store.get(thread)),
        delete: (thread: string) => Asked.for(() => store.delete(thread)),
        getAll: () => Asked.for(() => [...store.values()]),
        clear: () => Asked.for(() => store.clear()),
      }),
    };
  }
}

let device: Device;

beforeEach(() => {
  device = new Device();
  vi.stubGlobal("indexedDB", device);
});

/** A page that was just loaded. */
async function tab() {
  vi.resetModules();
  return { ...(await import("./shelf.ts")), ...(await import("./drafts.ts")) };
}

const said = [
  { ...newMessage({ message_id: "m1", turn_id: "t1", ts: "2026-11-18T10:00:00Z" }, "user", "settled"), text: "Hello" },
];

const BLANK = { text: "", files: [], edits: {} };

test("a chat that was deleted is not kept again by what is put away after it", async () => {
  const { shelf } = await tab();
  await shelf.keep("thread_1", "Hello", said);
  await shelf.drop("thread_1");

  await shelf.keep("thread_1", "Hello", said);
  await shelf.keepDraft("thread_1", { ...BLANK, text: "and" });

  expect([device.kept("threads"), device.kept("drafts")]).toEqual([[], []]);
});

test("a device is wiped while another window is open, and that window keeps nothing more", async () => {
  const [one, other] = [await tab(), await tab()];
  await other.shelf.keep("thread_2", "Hello", said);
  await one.shelf.keep("thread_1", "Hello", said);

  expect(await one.shelf.wipe()).toBe(true);
  await other.shelf.keep("thread_2", "Hello", said);

  expect(device.kept("threads")).toEqual([]);
});

test("a device is wiped also where a window of an older kind does not let go of it", async () => {
  const { shelf } = await tab();
  await shelf.keep("thread_1", "Hello", said);
  device.open();
  await new Promise<void>((go) => queueMicrotask(go));

  expect(await shelf.wipe()).toBe(true);

  expect(device.kept("threads")).toEqual([]);
});

test("what is written while a chat begins stays in the box, and is kept under its name", async () => {
  const { shelf, Drafts } = await tab();
  const drafts = new Drafts(() => undefined);
  await drafts.open("");
  const { key } = drafts.shown.value;

  drafts.write("Tell Leo");
  drafts.rename("thread_1");
  drafts.leave();

  expect(drafts.shown.value.key).toBe(key);
  expect((await shelf.draft("thread_1"))?.text).toBe("Tell Leo");
  expect(await shelf.draft("new")).toBeUndefined();
});

test("what was being written is there again, unless somebody writes already", async () => {
  const { shelf, Drafts } = await tab();
  await shelf.keepDraft("thread_1", { ...BLANK, text: "Tell Leo" });
  const [drafts, hasty] = [new Drafts(() => undefined), new Drafts(() => undefined)];

  await drafts.open("thread_1");
  const opening = hasty.open("thread_1");
  hasty.write("Ask Dana");
  await opening;

  expect([drafts.shown.value.text, hasty.shown.value.text]).toEqual(["Tell Leo", ""]);
});

test("what a window was writing is there again after a reload, whatever another one sent meanwhile", async () => {
  const { shelf, Drafts } = await tab();
  const [mine, others] = [drawer(), drawer()];
  /** The chat is opened in a window that was just loaded. */
  const load = async (of: typeof mine, chat: string) => {
    vi.stubGlobal("sessionStorage", of);
    const drafts = new Drafts(() => undefined);
    await drafts.open(chat);
    return drafts;
  };
  const write = (drafts: Drafts, text: string) => {
    drafts.write(text);
    drafts.leave();
  };
  const first = await load(mine, "thread_1");
  const second = await load(others, "thread_1");

  write(second, "Ask Dana");
  vi.stubGlobal("sessionStorage", mine);
  write(first, "Tell Leo\nnew\n");
  vi.stubGlobal("sessionStorage", others);
  write(second, "");

  expect((await load(mine, "thread_1")).shown.value.text).toBe("Tell Leo\nnew\n");
  await shelf.keepDraft("new", { ...BLANK, text: "Hello" });
  expect((await load(mine, "")).shown.value.text).toBe("Hello");
  expect((await load(others, "thread_1")).shown.value.text).toBe("");
  const again = await load(mine, "thread_1");
  again.clear();
  expect(mine.getItem("sayso.draft")).toBeNull();
});

/** A tab's own storage. */
function drawer() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  };
}

test("files that were handed over and changes in a card are there again, until they are sent or thrown away", async () => {
  const { shelf, Drafts } = await tab();
  const file = { id: "file_1", name: "notes.txt", bytes: 12, type: "text/plain" };
  const edit = { revision: 1, entries: [] };
  const restored: unknown[] = [];
  const drafts = new Drafts(() => undefined);
  await drafts.open("thread_1");

  drafts.keepFiles([{ ...file, key: 1, progress: 1, problem: "", picture: "" }]);
  drafts.keepEdit("card_1", edit);
  drafts.leave();
  const later = new Drafts((files) => restored.push(files));
  await later.open("thread_1");

  expect([restored, later.edits.value]).toEqual([[[file]], { card_1: edit }]);
  // What is restored is kept again; what is gone is not.
  later.keepFiles([]);
  later.keepEdit("card_1", null);
  await later.open("thread_2");
  expect([later.edits.value, await shelf.draft("thread_1")]).toEqual([{}, undefined]);
});
