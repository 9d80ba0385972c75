/** Replays what talks sent, as Rust wrote it down: the same events always give the same screen. */
import { describe, expect, test } from "vitest";
import type { Envelope, Tier } from "../sdk/index.ts";
import { fold, heardMore, leaveOff } from "./conversation.ts";
import { type CardItem, type Conversation, EMPTY, type Item, newMessage, openCards, workingTurn } from "./items.ts";
import { receiptOf } from "./receipt.ts";

const FILES = import.meta.glob<string>("../fixtures/*.jsonl", { query: "?raw", import: "default", eager: true });
const TALKS = Object.keys(FILES).map((path) => path.replace("../fixtures/", "").replace(".jsonl", ""));

function told(talk: string): Envelope[] {
  const lines = (FILES[`../fixtures/${talk}.jsonl`] ?? "").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Envelope);
}

function replay(events: readonly Envelope[], from: Conversation = EMPTY): Conversation {
  return events.reduce(fold, from);
}

function cards({ items }: Conversation): CardItem[] {
  return items.filter((item): item is CardItem => item.kind === "card");
}

function words({ items }: Conversation): string[] {
  return items.flatMap((item) => (item.kind === "message" ? [`${item.role}: ${item.text}`] : []));
}

function receipts(conversation: Conversation): string[] {
  return cards(conversation).map((card) => receiptOf(card, false, () => "now").words);
}

test("words that were hardly made out stay known", () => {
  const heard = told("hello").find(({ event_type }) => event_type === "input_transcript.final");
  const payload = { text: "Write to Okafor.", confidence: 0.7, doubted: [[9, 15]] };
  const { items } = fold(EMPTY, { ...heard, payload } as Envelope);

  expect(items).toMatchObject([{ text: "Write to Okafor.", doubted: [[9, 15]] }]);
});

describe.each(TALKS)("%s", (talk) => {
  const events = told(talk);

  test("leaves nothing growing, running or said twice", () => {
    const { items, draft } = replay(events);
    const keys = items.map(({ key }) => key);
    const isUnsettled = (item: Item) => item.kind === "message" && (item.phase === "growing" || item.phase === "draft");

    expect(new Set(keys).size).toBe(keys.length);
    expect(items.filter(isUnsettled)).toEqual([]);
    expect(draft).toBeNull();
  });

  test("has every final text, once, in its order", () => {
    const finals = events.flatMap((event) =>
      event.event_type === "assistant_text.final" ? [`assistant: ${event.payload.text}`] : [],
    );

    expect(words(replay(events)).filter((line) => line.startsWith("assistant"))).toEqual(finals);
  });

  test("reads the same without its passing events", () => {
    const passing = ["state.change", "assistant_text.delta", "input_transcript.delta", "tool_call.progress"];
    const kept = events.filter(({ event_type }) => !passing.includes(event_type));

    expect(words(replay(kept)).toSorted()).toEqual(words(replay(events)).toSorted());
    expect(receipts(replay(kept))).toEqual(receipts(replay(events)));
  });

  test("changes nothing of what it was given", () => {
    const frozen = events.map((event) => Object.freeze(event));
    let conversation = EMPTY;
    for (const event of frozen) conversation = fold(Object.freeze(conversation), event);

    expect(conversation).toEqual(replay(events));
  });
});

test("one breath becomes two receipts and no open card", () => {
  const conversation = replay(told("whole_sentence"));

  expect(receipts(conversation)).toEqual(["Sent now", "Created now"]);
  expect(openCards(conversation)).toEqual([]);
  expect(workingTurn(conversation)).toBeNull();
  expect(conversation.items.filter(({ kind }) => kind === "plan")).toHaveLength(1);
});

test("a question with choices offers them, and whatever is said next withdraws them", () => {
  const events = told("whole_sentence");
  const at = events.findIndex(({ event_type }) => event_type === "turn.end");
  const asked = replay(events.slice(0, at + 1));
  const choices = asked.items.find(({ kind }) => kind === "choices");

  expect(choices?.kind === "choices" && choices.names).toHaveLength(3);
  expect(replay(events).items.some(({ kind }) => kind === "choices")).toBe(false);
});

test("what the person said stands above all that came of it", () => {
  const { items } = replay(told("meetings_tomorrow"));

  expect(items.map((item) => (item.kind === "message" ? item.role : item.kind))).toEqual(["user", "tool", "assistant"]);
});

test.each([
  ["confirm_refused", "Declined"],
  ["confirm_expires", "Expired"],
  ["write_refused", "Not sent"],
  ["write_nobody_can_tell", "Nobody can tell"],
])("%s is told as %s", (talk, beginning) => {
  expect(receipts(replay(told(talk))).some((line) => line.startsWith(beginning))).toBe(true);
});

test("work that its person stopped is stopped, not failed", () => {
  const tools = replay(told("digest_stopped")).items.filter((item) => item.kind === "tool");

  expect(tools.find(({ name }) => name === "mail.summarize")).toMatchObject({ status: "stopped", endedAt: "" });
});

test("what is heard of an answer that was cut off only grows, and only of such a one", () => {
  const message = { ...newMessage({ message_id: "msg_1", ts: "" }, "assistant", "stopped"), text: "One. Two." };
  const cut = { ...EMPTY, items: [{ ...message, heardChars: 5 }] };
  const heard = (c: Conversation, chars: number) => {
    const [item] = heardMore(c, "msg_1", chars).items;
    return item?.kind === "message" ? item.heardChars : undefined;
  };

  expect([heard(cut, 7), heard(cut, 3), heard(cut, Number.POSITIVE_INFINITY)]).toEqual([
    7,
    5,
    Number.POSITIVE_INFINITY,
  ]);
  expect(heard({ ...EMPTY, items: [{ ...message, phase: "settled", heardChars: null }] }, 7)).toBeNull();
});

test("where the listener was lost, the rest of the answer is told as not heard; nobody stopped it", () => {
  const events = told("hello");
  const ended = events.map((envelope) =>
    envelope.event_type === "turn.end" ? { ...envelope, payload: { ...envelope.payload, heard_chars: 4 } } : envelope,
  );
  const answer = (c: Conversation) => c.items.findLast((item) => item.kind === "message" && item.role === "assistant");

  expect(answer(replay(events))).toMatchObject({ phase: "settled", isLost: false, heardChars: null });
  const left = replay(ended as Envelope[]);
  expect(answer(left)).toMatchObject({ phase: "settled", isLost: true, heardChars: 4 });
  // What was played here after the server had lost sight of it counts too.
  const id = answer(left)?.id ?? "";
  expect(answer(leaveOff(left, id, 9))).toMatchObject({ heardChars: 9 });
  expect(answer(leaveOff(left, id, 2))).toMatchObject({ heardChars: 4 });
});

test("an empty answer is never a bubble", () => {
  const [first] = told("hello");
  const about = { ...first, turn_id: "turn_1", message_id: "msg_1", event_type: "assistant_text.final" };

  expect(replay([{ ...about, payload: { text: "  " } } as Envelope]).items).toEqual([]);
});

test("words of a newer server change nothing", () => {
  const strange = { ...told("hello")[0], event_type: "tomorrow.news", payload: {} } as unknown as Envelope;

  expect(replay([strange]).items).toEqual([]);
});

test("a bubble that was growing under another owner is taken away", () => {
  const events = told("hello");
  const cut = events.findIndex(({ event_type }) => event_type === "assistant_text.delta");
  const growing = replay(events.slice(0, cut + 1));
  const next = {
    ...events[0],
    epoch: 2,
    event_type: "session.pong",
    payload: { client_ts: null, server_ts: "" },
  } as Envelope;

  expect(growing.items.some((item) => item.kind === "message" && item.phase === "growing")).toBe(true);
  expect(fold(growing, next).items.some((item) => item.kind === "message" && item.phase === "growing")).toBe(false);
});

test("a resync stands for everything", () => {
  const events = told("confirm_refused");
  const asked = events.find(({ event_type }) => event_type === "confirmation.request");
  if (asked?.event_type !== "confirmation.request") throw new Error("the talk has a card");
  const payload = {
    reason: "too_old",
    messages: [{ message_id: "msg_9", role: "user", text: "Hello", ts: asked.ts }],
    has_more: true,
    pending_confirmations: [{ ...asked.payload, remaining_ms: 1000 }],
    running_jobs: [],
    epoch: 3,
    last_seq: 40,
    state: "awaiting_confirmation",
    turn_id: "turn_9",
  };
  const conversation = fold(replay(events), { ...asked, event_type: "resync", payload } as Envelope);

  expect(words(conversation)).toEqual(["user: Hello"]);
  expect(openCards(conversation)).toHaveLength(1);
  expect(conversation.hasMore).toBe(true);
});

test("receipts stay where everything is told anew", () => {
  const events = told("confirm_edited");
  const last = (name: string) => events.findLast(({ event_type }) => event_type === name) as Envelope;
  const [asked, answered, came] = ["confirmation.updated", "confirmation.resolved", "tool_call.result"].map(last);
  const bubbles = events.filter(({ event_type }) => /final$/.test(event_type));
  const payload = {
    reason: "too_old",
    messages: bubbles.map(({ payload, message_id, role, ts }) => ({ ...payload, message_id, role, ts })),
    has_more: false,
    pending_confirmations: [],
    settled_confirmations: [
      {
        ...asked?.payload,
        ts: answered?.ts,
        turn_id: answered?.turn_id,
        answer: answered?.payload,
        result: { ...came?.payload, ts: came?.ts },
      },
    ],
    running_jobs: [],
    epoch: 3,
    last_seq: 40,
    state: "idle",
  };
  const live = replay(events);
  const anew = fold(live, { ...asked, event_type: "resync", payload } as Envelope);

  expect(receipts(anew)).toEqual(receipts(live));
  expect(anew.items.findIndex(({ kind }) => kind === "card")).toBeGreaterThan(0);
});

test("an answer says who gave it: a model where one had a part in it, the rules otherwise", () => {
  const events = told("meetings_tomorrow");
  const asked = (who: { tier: Tier; model?: string }) =>
    events.map((event) =>
      event.event_type === "turn.end" ? { ...event, payload: { ...event.payload, ...who } } : event,
    );
  const by = (all: readonly Envelope[]) =>
    replay(all).items.flatMap((item) => (item.kind === "message" ? [item.by] : []));

  expect(by(events)).toEqual([null, { tier: "reflex", model: "" }]);
  expect(by(asked({ tier: "cloud", model: "small-1" }))).toEqual([null, { tier: "cloud", model: "small-1" }]);
  expect(by(asked({ tier: "local" }))).toEqual([null, { tier: "local", model: "" }]);
  expect(by(events.filter(({ event_type }) => event_type !== "turn.end"))).toEqual([null, null]);
});

test("what became of a card stands below the words that decided it, and above the answer to them", () => {
  const { items } = replay(told("busy_slot"));
  const lines = items.flatMap((item) => (item.kind === "message" ? [item.text] : item.kind === "card" ? ["card"] : []));

  expect(lines.slice(-3)).toEqual(["yes", "card", "Done, it's on your calendar."]);
});

test("what was said before the work began is told apart from the answer, and only that", () => {
  const lead = (talk: string) =>
    replay(told(talk)).items.flatMap((item) =>
      item.kind === "message" && item.role === "assistant" ? [item.text.slice(0, item.lead)] : [],
    );
  expect(lead("meetings_tomorrow")).toEqual(["Checking tomorrow."]);
  expect(lead("two_reads")).toEqual(["Checking your mail and calendar."]);
  expect(lead("change_then_yes").slice(0, 2)).toEqual(["", ""]);
});
