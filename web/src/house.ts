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
    const { found } = await this.json<{ found: { thread_id: string; snippet: string }[] }>(
      `/chat/search?${new URLSearchParams({ q: query, limit: "100" })}`,
    );
    return new Map(found.reverse().map(({ thread_id, snippet }) => [thread_id, snippet]));
  }

  async threads(query: string, before = ""): Promise<{ threads: Thread[]; next: string | null }> {
    const search = new URLSearchParams({ limit: "40" });
    if (query) search.set("query", query);
    if (before) search.set("before", before);
    return this.json(`/chat/threads?${search}`);
  }

  thread(id: string): Promise<Thread> {
    return this.json(`/chat/threads/${id}`);
  }

  messages(thread: string, before = ""): Promise<{ messages: Bubble[]; next: string | null }> {
    const search = new URLSearchParams({ limit: "50", ...(before ? { before } : {}) });
    return this.json(`/chat/threads/${thread}/messages?${search}`);
  }

  rename(thread: string, title: string): Promise<Thread> {
    return this.json(`/chat/threads/${thread}`, { method: "PATCH", body: JSON.stringify({ title }) });
  }

  async remove(thread: string): Promise<void> {
    await this.ask(`/chat/threads/${thread}`, { method: "DELETE" });
  }

  profile(): Promise<Profile> {
    return this.json("/chat/profile");
  }

  saveProfile(profile: Profile): Promise<Profile> {
    return this.json("/chat/profile", { method: "PUT", body: JSON.stringify(profile) });
  }

  /** For whatever opens beside the chat and brings its own questions. */
  async json<T>(path: string, init?: RequestInit): Promise<T> {
    return (await this.ask(path, init)).json() as Promise<T>;
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = init.body ? { "Content-Type": "application/json" } : undefined;
    const answer = await this.#door.fetch(path, { headers, ...init }).catch(() => {
      throw new Refusal("unreachable", "The server cannot be reached right now.");
    });
    if (answer.ok) return answer;
    const told = (await answer.json().catch(() => null)) as { error?: { code: string; message: string } } | null;
    throw new Refusal(told?.error?.code ?? "refused", told?.error?.message ?? `The server said ${answer.status}.`);
  }
}
