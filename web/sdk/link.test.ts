/** How soon a connection is given up that the browser says is gone, and where one goes on in a chat. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "./door.ts";
import { Link, type LinkState } from "./link.ts";

/** A server that answers pings as long as the wire holds. */
class Socket {
  static readonly OPEN = 1;
  static holds = true;
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    queueMicrotask(() => {
      this.readyState = Socket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    const { event_type } = JSON.parse(text) as { event_type: string };
    if (!Socket.holds || event_type !== "session.ping") return;
    const payload = { server_ts: new Date().toISOString() };
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify({ event_type: "session.pong", payload }) }));
  }

  close(): void {
    this.readyState = 3;
  }
}

const pocket = (value: string) => ({ read: () => value, write: () => undefined });
const door = { ticket: async () => ({ kind: "open" }), isAsked: async () => false } as unknown as Door;

async function live() {
  const states: LinkState[] = [];
  const pockets = { session: pocket("session_1"), thread: pocket("thread_1") };
  const listener = {
    changed: (state: LinkState) => states.push(state),
    heard() {},
    sent() {},
    forgotten() {},
    renamed() {},
  };
  const link = new Link("http://localhost/", door, pockets, listener);
  void link.open();
  await vi.advanceTimersByTimeAsync(10);
  expect(link.state).toBe("live");
  return { link, states };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  Socket.holds = true;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("told that the network is gone, a link that stays silent is not live after a moment", async () => {
  const { link } = await live();
  Socket.holds = false;

  link.doubt();
  await vi.advanceTimersByTimeAsync(1400);
  expect(link.state).toBe("live");

  await vi.advanceTimersByTimeAsync(200);
  expect(link.state).toBe("reconnecting");
});

test("a server that still answers is believed, whatever the browser says of the network", async () => {
  const { link, states } = await live();

  link.doubt();
  await vi.advanceTimersByTimeAsync(5000);

  expect(link.state).toBe("live");
  expect(states).not.toContain("reconnecting");
});

/** A server that knows a chat, or not; what was asked of it stands in `asked`. */
function serverWith(chat: { last_session_id: string | null } | null) {
  const asked: string[] = [];
  const fetch = async (path: string) => {
    asked.push(path);
    if (path !== "/chat/session/start") return new Response(JSON.stringify(chat), { status: chat ? 200 : 404 });
    return new Response(JSON.stringify({ session_id: "session_new", thread_id: "thread_1" }));
  };
  return { asked, door: { ...door, fetch } as unknown as Door };
}

function kept(value: string) {
  return {
    read: () => value,
    write(next: string) {
      value = next;
    },
  };
}

const nobody = { changed() {}, heard() {}, sent() {}, forgotten() {}, renamed() {} };

test("a chat whose session is not known goes on where it was talked in last", async () => {
  const server = serverWith({ last_session_id: "session_1" });
  const link = new Link("http://localhost/", server.door, { session: kept(""), thread: kept("thread_1") }, nobody);

  void link.open();
  await vi.advanceTimersByTimeAsync(10);

  expect([link.state, link.sessionId, server.asked]).toEqual(["live", "session_1", ["/chat/threads/thread_1"]]);
});

test("a chat that was never talked in gets a session, and one that is not there any more becomes a new one", async () => {
  const silent = serverWith({ last_session_id: null });
  const first = new Link("http://localhost/", silent.door, { session: kept(""), thread: kept("thread_1") }, nobody);
  const gone = serverWith(null);
  const second = new Link("http://localhost/", gone.door, { session: kept(""), thread: kept("thread_0") }, nobody);

  void first.open();
  void second.open();
  await vi.advanceTimersByTimeAsync(1000);

  expect([first.sessionId, first.threadId]).toEqual(["session_new", "thread_1"]);
  expect([second.sessionId, second.threadId]).toEqual(["session_new", "thread_1"]);
  expect(gone.asked).toEqual(["/chat/threads/thread_0", "/chat/session/start"]);
});

test("an answer about a chat that was left meanwhile changes nothing in the one that is open", async () => {
  const server = serverWith({ last_session_id: "session_1" });
  const link = new Link("http://localhost/", server.door, { session: kept(""), thread: kept("thread_1") }, nobody);

  void link.open();
  link.move({ sessionId: "session_2", threadId: "thread_2" });
  await vi.advanceTimersByTimeAsync(10);

  expect([link.sessionId, link.threadId]).toEqual(["session_2", "thread_2"]);
});
