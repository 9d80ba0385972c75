/** What is asked of the server beside the chat: chats and memories to save, accounts. */
import type { Account, House, Memory, Pace, Thread } from "./house.ts";

/** So far back a chat is looked for. */
const MOST_PAGES = 25;

export class Study {
  readonly #house: House;

  constructor(house: House) {
    this.#house = house;
  }

  /** The whole chat, to be saved by the browser. */
  async export(thread: string, format: "markdown" | "json" | "jsonl"): Promise<Blob> {
    return (await this.#house.ask(`/chat/threads/${thread}/export?format=${format}`)).blob();
  }

  memories(context: string): Promise<{ memories: Memory[]; total: number }> {
    const search = new URLSearchParams({ max_results: "50", ...(context ? { context } : {}) });
    return this.#house.json(`/memory/retrieve?${search}`);
  }

  /** All of them, one a line, to be saved by the browser. */
  async exportMemories(): Promise<Blob> {
    return (await this.#house.ask("/memory/export")).blob();
  }

  /** Asks first, like every write: a card comes up in that session. */
  async forget(memory: string): Promise<{ session_id: string; confirmation_request_id: string; revision: number }> {
    return this.#house.json(`/memory/${memory}`, { method: "DELETE" });
  }

  async confirm(session_id: string, confirmation_request_id: string, revision: number): Promise<void> {
    const body = JSON.stringify({ session_id, confirmation_request_id, revision, decision: "accept" });
    await this.#house.ask("/chat/confirm", { method: "POST", body });
  }

  async accounts(): Promise<Account[]> {
    return (await this.#house.json<{ accounts: Account[] }>("/chat/accounts")).accounts;
  }

  /** The chat that a session is the latest of. */
  async threadOf(session: string): Promise<Thread | null> {
    for (let [before, pages]: [string | null, number] = ["", 0]; before !== null && pages < MOST_PAGES; pages += 1) {
      const found: { threads: Thread[]; next: string | null } = await this.#house.threads("", before);
      const thread = found.threads.find(({ last_session_id }) => last_session_id === session);
      if (thread) return thread;
      before = found.next;
    }
    return null;
  }

  voice(): Promise<Pace> {
    return this.#house.json("/chat/voice");
  }

  /** How fast to speak from now on, in percent of the voice's own pace. */
  setPace(percent: number): Promise<Pace> {
    return this.#house.json("/chat/voice", { method: "PUT", body: JSON.stringify({ percent }) });
  }
}
