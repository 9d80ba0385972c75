import { expect, test } from "vitest";
import { Outbox } from "./outbox.ts";
import type { Outgoing } from "./wire.ts";

function setting() {
  const state = {
    isLive: true,
    hasCards: false,
    thread: "thread_a",
    sent: [] as { id: string; event: Outgoing }[],
    kept: "",
  };
  const wire = {
    send(id: string, event: Outgoing) {
      if (state.isLive) state.sent.push({ id, event });
      return state.isLive;
    },
    isThere: () => state.isLive,
    thread: () => state.thread,
    hasOpenCards: () => state.hasCards,
    now: () => 0,
  };
  const pocket = {
    read: () => state.kept,
    write(value: string) {
      state.kept = value;
    },
  };
  return { state, open: () => new Outbox(wire, pocket, () => undefined) };
}

test("what was on its way when the link broke goes again under the same id", () => {
  const { state, open } = setting();
  const outbox = open();
  const { eventId } = outbox.say("hello");

  outbox.doubt();

  expect(state.sent.map(({ id }) => id)).toEqual([eventId, eventId]);
});

test("what was not heard before the page was left is still there, and goes under its id", () => {
  const { state, open } = setting();
  state.isLive = false;
  const { eventId } = open().say("hello");
  state.isLive = true;

  open().flush();

  expect(state.sent.map(({ id }) => id)).toEqual([eventId]);
});

test("what a page that is gone has left goes first, under its ids, and a yes among it waits while a card is open", () => {
  const { state, open } = setting();
  state.isLive = false;
  const gone = open();
  const [words, yes] = [gone.say("hello"), gone.say("yes")];
  const left = state.kept;
  state.kept = "";
  const outbox = open();
  const mine = outbox.say("and me");
  state.isLive = true;

  outbox.inherit(left);
  outbox.inherit(left);
  expect(state.sent.map(({ id }) => id)).toEqual([words.eventId, yes.eventId, mine.eventId]);

  Object.assign(state, { kept: "", hasCards: true, sent: [] });
  open().inherit(left);
  expect(state.sent).toEqual([]);
});

test("a yes is never kept for later: late words wait while a card is open", () => {
  const { state, open } = setting();
  state.isLive = false;
  const outbox = open();
  const { eventId } = outbox.say("yes");
  Object.assign(state, { isLive: true, hasCards: true });

  outbox.flush();
  expect(state.sent).toEqual([]);
  expect(outbox.waiting[0]?.remedy).toBe("send");

  outbox.sendAgain(eventId);
  expect(state.sent).toHaveLength(1);
});

test("words stay in their order behind a file that is on its way", () => {
  const { state, open } = setting();
  const outbox = open();
  const { eventId } = outbox.say("what is in it?", [], true);
  outbox.say("and then?");
  expect(state.sent).toEqual([]);

  outbox.arrive(eventId, ["file_1"]);

  expect(state.sent.map(({ event }) => event.event_type === "text.input" && event.payload.text)).toEqual([
    "what is in it?",
    "and then?",
  ]);
});

test("what the server refused stays, with a way out", () => {
  const { open } = setting();
  const outbox = open();
  const { eventId } = outbox.say("hello");

  expect(outbox.refuse(eventId, "Too long.", false)).toBe(true);
  expect(outbox.refuse("evt_other", "Too long.", false)).toBe(false);
  expect(outbox.waiting[0]).toMatchObject({ problem: "Too long.", remedy: "edit" });
});

test("words written beside a card are not given up while nobody is there to ask", () => {
  const { state, open } = setting();
  state.isLive = false;
  state.hasCards = true;
  const outbox = open();
  outbox.say("first");
  outbox.say("second");
  expect(outbox.waiting.map(({ problem, hadCard }) => [problem, hadCard])).toEqual([
    [undefined, true],
    [undefined, true],
  ]);

  state.isLive = true;
  outbox.flush();
  expect(outbox.waiting.every(({ remedy }) => remedy === "send")).toBe(true);
});

test("words go only into the chat they were written in, and wait there until it is open again", () => {
  const { state, open } = setting();
  state.isLive = false;
  const outbox = open();
  const { eventId } = outbox.say("hello");

  Object.assign(state, { isLive: true, thread: "thread_b" });
  outbox.doubt();
  expect([outbox.here, state.sent]).toEqual([[], []]);

  state.thread = "thread_a";
  outbox.doubt();
  expect(state.sent.map(({ id }) => id)).toEqual([eventId]);
});

test("a file that is on its way in one chat holds nothing up in another", () => {
  const { state, open } = setting();
  const outbox = open();
  outbox.say("what is in it?", [], true);

  state.thread = "thread_b";
  outbox.say("and here?");

  expect(state.sent).toHaveLength(1);
});

test("words written before a chat has begun are in it once it has", () => {
  const { state, open } = setting();
  Object.assign(state, { isLive: false, thread: "" });
  const outbox = open();
  outbox.say("hello");

  state.thread = "thread_new";
  outbox.rename("", "thread_new");

  expect(outbox.here.map(({ text }) => text)).toEqual(["hello"]);
});

test("words kept by an older page are in the chat that was open", () => {
  const { state, open } = setting();
  state.kept = JSON.stringify([{ eventId: "evt_1", text: "hello" }]);

  expect(open().here.map(({ text }) => text)).toEqual(["hello"]);
});

test("what waited in a chat goes with it when it is deleted", () => {
  const { state, open } = setting();
  state.isLive = false;
  const outbox = open();
  outbox.say("hello");

  outbox.drop("thread_a");

  expect(outbox.waiting).toEqual([]);
});

test("words about a file that could not be handed over are not sent without it unless somebody wants that", () => {
  const { state, open } = setting();
  const outbox = open();
  const { eventId } = outbox.say("Who signed it?", [], true);

  outbox.arrive(eventId, [], "lease.txt: too large for the server");
  expect(state.sent).toEqual([]);
  expect(outbox.waiting[0]?.problem).toBe("Not sent: lease.txt: too large for the server");

  outbox.sendAgain(eventId);
  expect(state.sent.map(({ id }) => id)).toEqual([eventId]);
});
