/**
 * What this device keeps so that a chat can be read without a connection: the last
 * messages of each, and what was being written. No key is ever put here.
 */
import type { Draft } from "./drafts.ts";
import type { Message } from "./items.ts";

const NAME = "sayso";
const MOST_MESSAGES = 500;
const MOST_THREADS = 50;

type Kept = { thread: string; title: string; messages: Message[]; at: number };

let opened: Promise<IDBDatabase> | null = null;
/** This device was wiped in another window: until it is loaded again, this one keeps nothing. */
let isWiped = false;
/** Chats that were deleted here: what still comes of them is not kept again. */
const gone = new Set<string>();

async function open(): Promise<IDBDatabase> {
  if (isWiped) throw new Error("wiped");
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("threads", { keyPath: "thread" });
      request.result.createObjectStore("drafts", { keyPath: "thread" });
    };
    request.onsuccess = () => {
      const db = request.result;
      db.onversionchange = () => {
        isWiped = true;
        db.close();
      };
      resolve(db);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Storage may be forbidden or full: then nothing is kept, and nothing breaks. */
async function quietly<T>(work: (db: IDBDatabase) => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work(await open());
  } catch {
    return otherwise;
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export const shelf = {
  get isWiped(): boolean {
    return isWiped;
  },

  async keep(thread: string, title: string, messages: readonly Message[]): Promise<void> {
    if (gone.has(thread)) return;
    const kept: Kept = { thread, title, messages: messages.slice(-MOST_MESSAGES), at: Date.now() };
    await quietly(async (db) => {
      const store = db.transaction("threads", "readwrite").objectStore("threads");
      await done(store.put(kept));
      const all = await done<Kept[]>(store.getAll());
      const old = all.sort((a, b) => b.at - a.at).slice(MOST_THREADS);
      for (const { thread: one } of old) store.delete(one);
    }, undefined);
  },

  take(thread: string): Promise<Kept | undefined> {
    return quietly<Kept | undefined>(
      (db) => done(db.transaction("threads").objectStore("threads").get(thread)),
      undefined,
    );
  },

  /** The chat is deleted. */
  async drop(thread: string): Promise<void> {
    gone.add(thread);
    await quietly(async (db) => {
      await done(db.transaction("threads", "readwrite").objectStore("threads").delete(thread));
      await done(db.transaction("drafts", "readwrite").objectStore("drafts").delete(thread));
    }, undefined);
  },

  list(): Promise<Kept[]> {
    return quietly<Kept[]>((db) => done(db.transaction("threads").objectStore("threads").getAll()), []);
  },

  async keepDraft(thread: string, draft: Draft): Promise<void> {
    if (gone.has(thread)) return;
    const { text, files, edits } = draft;
    await quietly(async (db) => {
      const store = db.transaction("drafts", "readwrite").objectStore("drafts");
      if (text || files.length || Object.keys(edits).length) await done(store.put({ thread, ...draft }));
      else await done(store.delete(thread));
    }, undefined);
  },

  draft(thread: string): Promise<Partial<Draft> | undefined> {
    return quietly<Partial<Draft> | undefined>(
      (db) => done(db.transaction("drafts").objectStore("drafts").get(thread)),
      undefined,
    );
  },

  /** Everything, as on a device that was never used. False where something may be left. */
  async wipe(): Promise<boolean> {
    const db = await open().catch(() => null);
    // Where nothing can be kept, nothing is.
    if (!db) return true;
    try {
      // Another window may hold on to the place itself; what lies in it goes first.
      for (const name of db.objectStoreNames) await done(db.transaction(name, "readwrite").objectStore(name).clear());
      db.close();
      opened = null;
      await new Promise((go) => {
        const request = indexedDB.deleteDatabase(NAME);
        request.onsuccess = request.onerror = request.onblocked = go;
      });
      return true;
    } catch {
      return false;
    }
  },
};
