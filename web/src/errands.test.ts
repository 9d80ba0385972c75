import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sayso } from "../sdk/index.ts";
import { pocket, Socket } from "../sdk/pretend.ts";
import { carry } from "./errands.ts";
import type { House } from "./house.ts";

const house = { thread: async (id: string) => ({ thread_id: id, last_session_id: "s_a" }) } as unknown as House;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { href: "http://localhost/" });
  Socket.greets = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Words were written in one chat without a connection; then another was opened, and the connection is back. */
async function backElsewhere() {
  const pockets = { key: pocket(), session: pocket("s_a"), thread: pocket("thread_a"), outbox: pocket() };
  const sayso = new Sayso({ pockets });
  const { eventId } = sayso.say("Any new mail?");
  sayso.move({ sessionId: "s_b", threadId: "thread_b" });
  await vi.advanceTimersByTimeAsync(10);
  expect(Socket.last.said).toEqual([]);
  return { sayso, eventId };
}

test("words that wait in a chat that is not open are heard there, once the connection is back", async () => {
  const { sayso, eventId } = await backElsewhere();

  const errand = carry(sayso, house, "thread_a");
  await vi.advanceTimersByTimeAsync(10);
  expect(Socket.last.said).toEqual(["text.input"]);
  expect(new URL(Socket.last.address).searchParams.get("session_id")).toBe("s_a");
  const payload = { input_mode: "text", in_reply_to: eventId };
  Socket.last.tell({ event_type: "turn.start", turn_id: "t1", seq: 1, epoch: 1, session_id: "s_a", payload });
  await errand;

  expect(sayso.outbox.waiting).toEqual([]);
  sayso.close();
});

test("words are not carried past a card that waits there: they could be taken for an answer", async () => {
  const { sayso } = await backElsewhere();
  const standing = { epoch: 1, last_seq: 0, state: "awaiting_confirmation", messages: [] };
  const card = { confirmation_request_id: "cr_1" };
  Socket.greets = [{ event_type: "resync", epoch: 1, payload: { ...standing, pending_confirmations: [card] } }];

  const errand = carry(sayso, house, "thread_a");
  await vi.advanceTimersByTimeAsync(10);
  await errand;

  expect(Socket.last.said).toEqual([]);
  expect(sayso.outbox.waiting.map(({ problem }) => problem)).toEqual(["Not sent: a card waits for an answer"]);
  sayso.close();
});

test("where nobody answers, the words still wait", async () => {
  const { sayso } = await backElsewhere();

  const errand = carry(sayso, house, "thread_a");
  await vi.advanceTimersByTimeAsync(20_000);
  await errand;

  expect(sayso.outbox.waiting.map(({ text, problem }) => [text, problem])).toEqual([["Any new mail?", undefined]]);
  sayso.close();
});
