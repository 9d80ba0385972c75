/** What the server tells over HTTP: chats, memories, the person's profile. */
import type { Bubble, Door } from "../sdk/index.ts";

export type Thread = {
  thread_id: string;
  title: string;
  is_named: boolean;
  sessions: number;
  messages: number;
  updated_at: string;
  last_message: { snippet: string; role: string; ts: string } | null;
  last_session_id: string | null;
  /** Until when a question in it waits for an answer. */
  waits_until?: string | null;
};

export type Memory = {
  memory_id: string;
  text: string;
  created_at: string;
  source?: { session_id?: string; turn_id?: string; derived_from?: string };
};

export type Profile = {
  name: string | null;
  address?: string | null;
  time_zone: string;
  working_hours: { start: string; end: string; days: readonly string[] };
  default_meeting_minutes: number;
  /** Models outside the server's machine may be asked about what they say. */
  cloud_models: boolean;
  /** They have said who they are. */
  onboarded: boolean;
};

/** How fast the person is spoken to, and in which language they are heard. */
export type Pace = { percent: number; slowest: number; fastest: number; language: string };

/** Mail or a calendar that Sayso works with, and what is true of it. */
export type Account = {
  kind: "mail" | "calendar";
  /** Somewhere that this page does not know yet is only named. */
  place: string;
  /** Of somebody who does not exist, to try things out with. */
  sample: boolean;
  address: string | null;
  holds: number;
  /** What is sent and who is invited is reached outside the server. */
  reaches_others: boolean;
};

/** So far back a chat is looked for. */
const MOST_PAGES = 25;

/** A refusal in words for a person, with the server's name for it. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export class House {
  readonly #door: Door;

  constructor(door: Door) {
    this.#door = door;
  }

  /** By chat, the newest message in it that has these words. */
  async snippets(query: string): Promise<Map<string, string>> {
    const { found } = await this.#json<{ found: { thread_id: string; snippet: string }[] }>(
      `/chat/search?${new URLSearchParams({ q: query, limit: "100" })}`,
    );
    return new Map(found.reverse().map(({ thread_id, snippet }) => [thread_id, snippet]));
  }

  async threads(query: string, before = ""): Promise<{ threads: Thread[]; next: string | null }> {
    const search = new URLSearchParams({ limit: "40" });
    if (query) search.set("query", query);
    if (before) search.set("before", before);
    return this.#json(`/chat/threads?${search}`);
  }

  thread(id: string): Promise<Thread> {
    return this.#json(`/chat/threads/${id}`);
  }

  /** The chat that a session is the latest of. */
  async threadOf(session: string): Promise<Thread | null> {
    for (let [before, pages]: [string | null, number] = ["", 0]; before !== null && pages < MOST_PAGES; pages += 1) {
      const found: { threads: Thread[]; next: string | null } = await this.threads("", before);
      const thread = found.threads.find(({ last_session_id }) => last_session_id === session);
      if (thread) return thread;
      before = found.next;
    }
    return null;
  }

  messages(thread: string, before = ""): Promise<{ messages: Bubble[]; next: string | null }> {
    const search = new URLSearchParams({ limit: "50", ...(before ? { before } : {}) });
    return this.#json(`/chat/threads/${thread}/messages?${search}`);
  }

  rename(thread: string, title: string): Promise<Thread> {
    return this.#json(`/chat/threads/${thread}`, { method: "PATCH", body: JSON.stringify({ title }) });
  }

  async remove(thread: string): Promise<void> {
    await this.#ask(`/chat/threads/${thread}`, { method: "DELETE" });
  }

  /** The whole chat, to be saved by the browser. */
  async export(thread: string, format: "markdown" | "json" | "jsonl"): Promise<Blob> {
    return (await this.#ask(`/chat/threads/${thread}/export?format=${format}`)).blob();
  }

  memories(context: string): Promise<{ memories: Memory[]; total: number }> {
    const search = new URLSearchParams({ max_results: "50", ...(context ? { context } : {}) });
    return this.#json(`/memory/retrieve?${search}`);
  }

  /** All of them, one a line, to be saved by the browser. */
  async exportMemories(): Promise<Blob> {
    return (await this.#ask("/memory/export")).blob();
  }

  /** Asks first, like every write: a card comes up in that session. */
  async forget(memory: string): Promise<{ session_id: string; confirmation_request_id: string; revision: number }> {
    return this.#json(`/memory/${memory}`, { method: "DELETE" });
  }

  async confirm(session_id: string, confirmation_request_id: string, revision: number): Promise<void> {
    const body = JSON.stringify({ session_id, confirmation_request_id, revision, decision: "accept" });
    await this.#ask("/chat/confirm", { method: "POST", body });
  }

  async accounts(): Promise<Account[]> {
    return (await this.#json<{ accounts: Account[] }>("/chat/accounts")).accounts;
  }

  profile(): Promise<Profile> {
    return this.#json("/chat/profile");
  }

  saveProfile(profile: Profile): Promise<Profile> {
    return this.#json("/chat/profile", { method: "PUT", body: JSON.stringify(profile) });
  }

  voice(): Promise<Pace> {
    return this.#json("/chat/voice");
  }

  /** How fast to speak from now on, in percent of the voice's own pace. */
  setPace(percent: number): Promise<Pace> {
    return this.#json("/chat/voice", { method: "PUT", body: JSON.stringify({ percent }) });
  }

  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await this.#ask(path, init)).json() as Promise<T>;
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = init.body ? { "Content-Type": "application/json" } : undefined;
    const answer = await this.#door.fetch(path, { headers, ...init }).catch(() => {
      throw new Refusal("unreachable", "The server cannot be reached right now.");
    });
    if (answer.ok) return answer;
    const told = (await answer.json().catch(() => null)) as { error?: { code: string; message: string } } | null;
    throw new Refusal(told?.error?.code ?? "refused", told?.error?.message ?? `The server said ${answer.status}.`);
  }
}
