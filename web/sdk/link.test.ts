/** How soon a connection is given up that the browser says is gone. */
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
