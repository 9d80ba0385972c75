/**
 * What each event does to the conversation: start at `fold`. Pure: no clock, no
 * screen, no network. `session.ts` calls it, `conversation.test.ts` replays talks.
 */
import type { Envelope, Settled, Snapshot, TurnState } from "../sdk/index.ts";
import type { EnvelopeOf, Payload } from "../sdk/wire.ts";
import type { CardItem, ChoicesItem, Conversation, Item, Message, Notice, PlanItem, ToolUse } from "./items.ts";
import { EMPTY, messageOf, newMessage, newTurn } from "./items.ts";

/** How a turn that did not simply succeed is told. */
const OUTCOME_WORDS: Record<string, string> = {
  partial: "Only part of this worked.",
  failed: "I couldn’t finish this.",
  unknown: "I can’t tell yet whether this worked.",
};

/** Endings that the answer itself has told already. */
const TOLD_BY_THE_ANSWER = ["needs_answer", "not_understood", "not_possible", "rejected", "expired"];

export function fold(before: Conversation, envelope: Envelope): Conversation {
  const c = hearOf(newOwner(before, envelope.epoch), envelope.turn_id);
  switch (envelope.event_type) {
    case "turn.start":
      return startTurn(c, envelope as EnvelopeOf<"turn.start">);
    case "state.change":
      return enter(c, envelope.turn_id, envelope.payload.to);
    case "turn.end":
      return endTurn(c, envelope.turn_id, envelope.payload);
    case "turn.cancelled":
      return cancelTurn(c, envelope.payload);

    case "input_transcript.delta":
      return hearDraft(c, envelope as EnvelopeOf<"input_transcript.delta">);
    case "input_transcript.final":
      return hear(c, envelope as EnvelopeOf<"input_transcript.final">);
    case "assistant_text.delta":
      return grow(c, envelope as EnvelopeOf<"assistant_text.delta">);
    case "assistant_text.final":
      return settle(c, envelope as EnvelopeOf<"assistant_text.final">);
    case "assistant_audio.end":
      return cutOff(c, envelope.message_id, envelope.payload);

    case "plan.update":
      return plan(c, envelope as EnvelopeOf<"plan.update">);
    case "tool_call.request":
      return startTool(c, envelope as EnvelopeOf<"tool_call.request">);
    case "tool_call.queued":
      return reportTool(c, envelope.payload.call_id, {
        status: "queued",
        jobId: envelope.payload.job_id,
        message: envelope.payload.message,
      });
    case "tool_call.progress":
      return describe(
        reportTool(c, envelope.payload.call_id, {
          progress: envelope.payload.progress,
          message: envelope.payload.message,
        }),
        envelope.turn_id,
        envelope.payload.message,
      );
    case "tool_call.result":
      return finishTool(c, envelope as EnvelopeOf<"tool_call.result">);

    case "confirmation.request":
    case "confirmation.updated":
      return ask(c, envelope.turn_id, envelope.payload, envelope.seq != null);
    case "confirmation.resolved":
      return answer(c, envelope.turn_id, envelope.payload);
    case "confirmation.expired":
      return enter(
        changeCard(c, envelope.payload.confirmation_request_id, { isOpen: false, isExpired: true }),
        envelope.turn_id,
        "executing_tools",
      );

    case "error":
      return fail(c, envelope as EnvelopeOf<"error">);
    case "session.ready":
      return { ...c, capabilities: envelope.payload.capabilities, agent: envelope.payload.agent };
    case "session.resumed":
      return envelope.payload.state === "idle" ? c : enter(c, envelope.payload.turn_id, envelope.payload.state);
    case "resync":
      return rebuild(envelope.payload, c);

    case "assistant_audio.start":
    case "assistant_audio.chunk":
    case "assistant_audio.level":
    case "input.repeated":
    case "rate_limit":
    case "session.pong":
      return c;
    default:
      // A word of a newer server.
      return c;
  }
}

/** The same, for what comes from outside: an event that nobody can read leaves everything as it is. */
export function take(before: Conversation, envelope: Envelope): Conversation {
  try {
    return fold(before, envelope);
  } catch (error) {
    console.error("an event could not be read", envelope.event_type, error);
    return before;
  }
}

/** What was growing under another owner of the session will never be finished. */
function newOwner(c: Conversation, epoch: number): Conversation {
  if (!epoch || epoch <= c.epoch) return c;
  if (!c.epoch) return { ...c, epoch };
  const items = c.items.filter(
    (item) => item.kind !== "message" || (item.phase !== "growing" && item.phase !== "draft"),
  );
  return { ...c, epoch, items, draft: null };
}

// Turns

function startTurn(c: Conversation, { turn_id, payload }: EnvelopeOf<"turn.start">): Conversation {
  if (!turn_id) return c;
  const { input_mode: mode, in_reply_to, follows } = payload;
  // Whatever is said next answers a question with choices, or is about something else.
  const items = follows ? c.items : c.items.filter(({ kind }) => kind !== "choices");
  const turn = { ...newTurn(turn_id), mode, begunBy: in_reply_to ?? "", follows: follows ?? "" };
  const begun = { ...c, items, draft: null, turns: { ...c.turns, [turn_id]: turn } };
  return enter(begun, turn_id, mode === "voice" ? "listening" : "finalizing_input");
}

function hearOf(c: Conversation, id: string | null | undefined): Conversation {
  const turn = c.turns[id ?? ""];
  return turn ? { ...c, beat: c.beat + 1, turns: { ...c.turns, [turn.id]: { ...turn, heardAt: c.beat + 1 } } } : c;
}

/** Nothing that still arrives opens an ended turn again. */
function enter(c: Conversation, id: string | null | undefined, state: TurnState): Conversation {
  if (!id) return c;
  const turn = c.turns[id] ?? newTurn(id);
  if (turn.isOver || (turn.state === state && c.turns[id])) return c;
  const beat = c.beat + 1;
  return { ...c, beat, turns: { ...c.turns, [id]: { ...turn, state, words: "", heardAt: beat } } };
}

function describe(c: Conversation, id: string | null | undefined, words: string): Conversation {
  const turn = c.turns[id ?? ""];
  return turn && words ? { ...c, turns: { ...c.turns, [turn.id]: { ...turn, words } } } : c;
}

function endTurn(c: Conversation, id: string | undefined, ended: Payload<"turn.end">): Conversation {
  if (!id) return c;
  const { outcome, error_code, heard_chars } = ended;
  const choices = c.turns[id]?.choices ?? [];
  const whole = close(c, id, (item) =>
    item.phase === "settled" || item.phase === "stopped" ? sign(item, ended) : null,
  );
  const closed = heard_chars === undefined ? whole : leaveOff(whole, answerOf(whole, id)?.id ?? "", heard_chars);
  const code = error_code ?? "";
  if (code === "needs_answer" && choices.length) return offer(closed, id, choices);
  if (TOLD_BY_THE_ANSWER.includes(code) || isToldByCard(closed, id) || hasNotice(closed, id)) return closed;
  const words = OUTCOME_WORDS[outcome];
  return words ? tell(closed, id, `outcome of ${id}`, words, "", "") : closed;
}

function sign(message: Message, { tier = "reflex", model = "" }: Payload<"turn.end">): Message {
  return message.role === "user" ? message : { ...message, by: { tier, model } };
}

/** The last that was said in it. */
function answerOf({ items }: Conversation, turn: string): Item | undefined {
  return items.findLast((item) => item.kind === "message" && item.role === "assistant" && item.turn === turn);
}

function cancelTurn(c: Conversation, { cancel_turn_id: id, heard_chars }: Payload<"turn.cancelled">): Conversation {
  const last = answerOf(c, id);
  const closed = close(c, id, (item) => {
    // Words that were never heard to their end.
    if (item.phase === "draft") return null;
    const heardChars = item.key === last?.key ? (heard_chars ?? item.heardChars) : item.heardChars;
    return item.phase === "growing" || item.key === last?.key ? { ...item, phase: "stopped", heardChars } : item;
  });
  const turn = closed.turns[id];
  return turn ? { ...closed, turns: { ...closed.turns, [id]: { ...turn, isCancelled: true } } } : closed;
}

/** More of an answer that was cut off has been heard since, on this page. */
export function heardMore(c: Conversation, id: string, chars: number): Conversation {
  const known = messageOf(c, id);
  const isCut = known && (known.phase === "stopped" || known.isLost) && known.heardChars !== null;
  return isCut ? changeMessage(c, id, () => ({ ...known, heardChars: Math.max(known.heardChars ?? 0, chars) })) : c;
}

/** Its listener was lost in the middle of it: what was not heard can be heard. */
export function leaveOff(c: Conversation, id: string, chars: number): Conversation {
  return heardMore(
    changeMessage(c, id, (item) => ({ ...item, isLost: true, heardChars: item.heardChars ?? 0 })),
    id,
    chars,
  );
}

/** Nothing of this turn moves any more. */
function close(c: Conversation, id: string, settled: (message: Message) => Message | null): Conversation {
  const items = c.items.flatMap((item): Item[] => {
    if (item.turn !== id) return [item];
    if (item.kind === "message") return [settled(item)].filter((one) => one !== null);
    if (item.kind === "tool" && item.status === "running") return [{ ...item, status: "stopped" }];
    if (item.kind === "plan") return [{ ...item, isOver: true }];
    return [item];
  });
  const turn = { ...(c.turns[id] ?? newTurn(id)), isOver: true, state: "idle" as const };
  return { ...c, items, turns: { ...c.turns, [id]: turn } };
}

// Words

function hearDraft(c: Conversation, envelope: EnvelopeOf<"input_transcript.delta">): Conversation {
  const { text, confidence, stable } = envelope.payload;
  const heard = { text, confidence, stable: stable === undefined ? 0 : Math.min(stable.length, text.length) };
  if (!envelope.turn_id) return { ...c, draft: { ...newMessage(envelope, "user", "draft"), ...heard, mode: "voice" } };
  const id = envelope.message_id ?? "";
  if (c.items.some((item) => item.kind === "message" && item.id === id)) {
    return changeMessage(c, id, (item) => (item.phase === "draft" ? { ...item, ...heard } : item));
  }
  return placeUser(c, { ...newMessage(envelope, "user", "draft"), ...heard, mode: "voice" });
}

function hear(c: Conversation, envelope: EnvelopeOf<"input_transcript.final">): Conversation {
  const { text, confidence, in_reply_to, attachments = [], doubted = [] } = envelope.payload;
  const turn = c.turns[envelope.turn_id ?? ""];
  const begunBy = in_reply_to ?? (hasUser(c, envelope.turn_id) ? "" : turn?.begunBy) ?? "";
  const mode = begunBy || confidence >= 1 ? "text" : "voice";
  const heard = { text, confidence, doubted, attachments, mode, phase: "settled", stable: text.length } as const;
  const id = envelope.message_id ?? "";
  const known = c.items.some((item) => item.kind === "message" && item.id === id);
  const clear = { ...talkedAbout(c, envelope.turn_id, begunBy), draft: null };
  if (known) return changeMessage(clear, id, (item) => ({ ...item, ...heard, ts: envelope.ts }));
  // Where our own words stood already, the same piece goes on.
  return placeUser(clear, { ...newMessage(envelope, "user", "settled"), ...heard, key: begunBy || id });
}

/** What began a turn stands above all that came of it; what is said about its card stands below. */
function placeUser(c: Conversation, message: Message): Conversation {
  const first = hasUser(c, message.turn) ? -1 : c.items.findIndex(({ turn }) => turn !== "" && turn === message.turn);
  return first < 0 ? add(c, message) : { ...c, items: c.items.toSpliced(first, 0, message) };
}

function hasUser(c: Conversation, turn: string | undefined): boolean {
  return c.items.some(
    (item) => item.kind === "message" && item.role === "user" && item.turn !== "" && item.turn === turn,
  );
}

function grow(c: Conversation, envelope: EnvelopeOf<"assistant_text.delta">): Conversation {
  const id = envelope.message_id ?? `reply of ${envelope.turn_id}`;
  const { text } = envelope.payload;
  const entered = c.turns[envelope.turn_id ?? ""] ? c : enter(c, envelope.turn_id, "thinking");
  if (entered.items.some((item) => item.kind === "message" && item.id === id)) {
    return changeMessage(entered, id, (item) =>
      item.phase === "growing" ? { ...item, text: item.text + text } : item,
    );
  }
  const message = newMessage(envelope, "assistant", "growing");
  return add(entered, { ...message, id, key: id, text: text.trimStart(), isNew: true });
}

function settle(c: Conversation, envelope: EnvelopeOf<"assistant_text.final">): Conversation {
  const id = envelope.message_id ?? `reply of ${envelope.turn_id}`;
  const { text } = envelope.payload;
  // An empty answer is an error, never a bubble.
  if (!text.trim()) return { ...c, items: c.items.filter((item) => item.kind !== "message" || item.id !== id) };
  const phase = c.turns[envelope.turn_id ?? ""]?.isCancelled ? "stopped" : "settled";
  if (c.items.some((item) => item.kind === "message" && item.id === id)) {
    return changeMessage(c, id, (item) => {
      const lead = text.startsWith(item.text.slice(0, item.lead)) ? item.lead : 0;
      return { ...item, text, phase, ts: envelope.ts, lead };
    });
  }
  return add(c, { ...newMessage(envelope, "assistant", phase), id, key: id, text });
}

function cutOff(
  c: Conversation,
  id: string | undefined,
  { interrupted, heard_chars }: Payload<"assistant_audio.end">,
): Conversation {
  if (!interrupted || heard_chars === undefined) return c;
  return changeMessage(c, id ?? "", (item) => ({ ...item, heardChars: heard_chars }));
}

function changeMessage(c: Conversation, id: string, change: (message: Message) => Message): Conversation {
  return { ...c, items: c.items.map((item) => (item.kind === "message" && item.id === id ? change(item) : item)) };
}

// Plans and tools

function plan(before: Conversation, { turn_id = "", payload }: EnvelopeOf<"plan.update">): Conversation {
  const c = acknowledged(before, turn_id);
  const turn = c.turns[turn_id] ?? newTurn(turn_id);
  const choices = (payload.choices ?? []).map(({ name }) => name);
  const kept = { ...c, turns: { ...c.turns, [turn_id]: { ...turn, choices } } };
  if (kept.items.some((item) => item.kind === "plan" && item.turn === turn_id)) {
    const items = kept.items.map((item) =>
      item.kind === "plan" && item.turn === turn_id ? { ...item, plan: payload } : item,
    );
    return { ...kept, items };
  }
  if (payload.steps.length < 2) return kept;
  const item: PlanItem = {
    kind: "plan",
    key: `plan of ${turn_id}`,
    id: payload.plan_id,
    turn: turn_id,
    plan: payload,
    isOver: false,
  };
  return addAboveReply(kept, item);
}

function startTool(c: Conversation, { turn_id = "", ts, payload }: EnvelopeOf<"tool_call.request">): Conversation {
  const entered = describe(enter(acknowledged(c, turn_id), turn_id, "executing_tools"), turn_id, payload.label);
  const { call_id, confirmation_request_id: card } = payload;
  // What a card asked for is told by the card.
  if (card && entered.items.some((item) => item.kind === "card" && item.id === card)) {
    return changeCard(entered, card, { isOpen: false, callId: call_id });
  }
  const item: ToolUse = {
    kind: "tool",
    key: call_id,
    id: call_id,
    turn: turn_id,
    name: payload.tool_name,
    label: payload.label || payload.tool_name,
    level: payload.action_level,
    args: payload.arguments,
    idempotencyKey: payload.idempotency_key,
    status: "running",
    message: "",
    progress: 0,
    startedAt: ts,
    endedAt: "",
    error: "",
    output: null,
    jobId: "",
  };
  return addAboveReply(entered, item);
}

/** What was said before the work began only says that it was heard. */
function acknowledged(c: Conversation, turn: string): Conversation {
  if (c.turns[turn]?.state !== "thinking") return c;
  const items = c.items.map((item) =>
    item.kind === "message" && item.phase === "growing" && item.turn === turn && !item.lead
      ? { ...item, lead: item.text.length }
      : item,
  );
  return { ...c, items };
}

/** A reply that has begun ends below the look-ups that feed it. */
function addAboveReply(c: Conversation, item: Item): Conversation {
  const reply = c.items.findIndex((one) => one.kind === "message" && one.phase === "growing" && one.turn === item.turn);
  return reply < 0 ? add(c, item) : { ...c, items: c.items.toSpliced(reply, 0, item) };
}

function reportTool(c: Conversation, id: string, change: Partial<ToolUse>): Conversation {
  return {
    ...c,
    items: c.items.map((item) => (item.kind === "tool" && item.id === id ? { ...item, ...change } : item)),
  };
}

function finishTool(c: Conversation, { turn_id = "", ts, payload }: EnvelopeOf<"tool_call.result">): Conversation {
  const card = cardOfCall(c, turn_id, payload);
  if (card) return changeCard(c, card.id, { isOpen: false, callId: payload.call_id, result: { ...payload, ts } });
  // Whoever stopped it does not need to be told that it failed.
  const isStopped = payload.error?.code === "cancelled";
  return reportTool(c, payload.call_id, {
    status: payload.ok ? "done" : isStopped ? "stopped" : "failed",
    endedAt: isStopped ? "" : ts,
    error: payload.error?.message ?? (payload.ok ? "" : "It did not work."),
    output: payload.output,
    progress: 1,
  });
}

/** A write that was stopped before it began has a result, yet no request. */
function cardOfCall(
  c: Conversation,
  turn: string,
  { call_id, state }: Payload<"tool_call.result">,
): CardItem | undefined {
  const cards = c.items.filter((item): item is CardItem => item.kind === "card");
  const begun = cards.find((card) => card.callId === call_id);
  const isAgreed = (card: CardItem) => card.answer !== null && card.answer.decision !== "reject" && !card.callId;
  return begun ?? (state ? ofTurn(c, turn, cards).find(isAgreed) : undefined);
}

// Cards

function ask(c: Conversation, turn: string | undefined, question: CardItem["question"], isNews: boolean): Conversation {
  const id = question.confirmation_request_id;
  const known = c.items.find((item): item is CardItem => item.kind === "card" && item.id === id);
  if (known) return revise(c, known, question, isNews);
  return enter(add(c, newCard(turn, question)), turn, "awaiting_confirmation");
}

function newCard(turn: string | undefined, question: CardItem["question"]): CardItem {
  const id = question.confirmation_request_id;
  return {
    kind: "card",
    key: id,
    id,
    turn: turn ?? "",
    question,
    isOpen: true,
    answer: null,
    isExpired: false,
    callId: "",
    result: null,
    talkedBy: "",
  };
}

/** The same question changed, or only given more time. What is to be looked at again comes to where people look. */
function revise(c: Conversation, card: CardItem, question: CardItem["question"], isNews: boolean): Conversation {
  if (!card.isOpen || question.revision < card.question.revision) return c;
  const isRevised = question.revision > card.question.revision;
  const changed = isRevised ? question.changed : card.question.changed;
  const next: CardItem = { ...card, question: { ...question, changed } };
  if (!isRevised || !isNews) return { ...c, items: c.items.map((item) => (item === card ? next : item)) };
  return { ...c, items: [...c.items.filter((item) => item !== card), next] };
}

function answer(c: Conversation, turn: string | undefined, told: Payload<"confirmation.resolved">): Conversation {
  const { decision, channel, in_reply_to, edited_fields = [] } = told;
  const given = { decision, channel, inReplyTo: in_reply_to ?? "", edited: edited_fields };
  const changed = changeCard(c, told.confirmation_request_id, { isOpen: false, answer: given });
  // What became of it stands below the words that decided it.
  const isSaid = channel === "voice" || channel === "text";
  return enter(isSaid ? toEnd(changed, told.confirmation_request_id) : changed, turn, "executing_tools");
}

function toEnd(c: Conversation, card: string): Conversation {
  const [moved, rest] = [c.items.filter(({ key }) => key === card), c.items.filter(({ key }) => key !== card)];
  return { ...c, items: [...rest, ...moved] };
}

function changeCard(c: Conversation, id: string, change: Partial<CardItem>): Conversation {
  return {
    ...c,
    items: c.items.map((item) => (item.kind === "card" && item.id === id ? { ...item, ...change } : item)),
  };
}

function talkedAbout(c: Conversation, turn: string | undefined, by: string): Conversation {
  const cards = c.items.filter((item): item is CardItem => item.kind === "card" && item.isOpen && item.turn === turn);
  return cards.reduce((next, card) => changeCard(next, card.id, { talkedBy: by }), c);
}

/** Has a receipt told already that this turn did not do what it was asked? */
function isToldByCard(c: Conversation, turn: string): boolean {
  const cards = c.items.filter((item): item is CardItem => item.kind === "card");
  return ofTurn(c, turn, cards).some(({ answer, isExpired, result, isOpen }) => {
    const isDone = result?.ok && (!result.state || result.state === "confirmed" || result.state === "reconciled_done");
    return isExpired || answer?.decision === "reject" || (!isOpen && !isDone);
  });
}

/** Those of the turn, and of the one whose outcome it tells. */
function ofTurn(c: Conversation, turn: string, cards: CardItem[]): CardItem[] {
  return cards.filter((card) => card.turn === turn || (card.turn !== "" && card.turn === c.turns[turn]?.follows));
}

// What else is told

function offer(c: Conversation, turn: string, names: readonly string[]): Conversation {
  const item: ChoicesItem = { kind: "choices", key: `choices of ${turn}`, id: turn, turn, names };
  return add({ ...c, items: c.items.filter(({ kind }) => kind !== "choices") }, item);
}

function fail(c: Conversation, { event_id, turn_id, ts, payload }: EnvelopeOf<"error">): Conversation {
  // About a frame: whoever sent it tells.
  if (!turn_id) return c;
  const asked = c.items.find(
    (item): item is Message => item.kind === "message" && item.role === "user" && item.turn === turn_id,
  );
  return tell(
    c,
    turn_id,
    event_id,
    payload.user_message || payload.message,
    ts,
    payload.retryable ? (asked?.text ?? "") : "",
  );
}

function tell(c: Conversation, turn: string, id: string, words: string, ts: string, again: string): Conversation {
  const item: Notice = { kind: "notice", key: id, id, turn, words, ts, again };
  return add(c, item);
}

function hasNotice(c: Conversation, turn: string): boolean {
  return c.items.some((item) => item.kind === "notice" && item.turn === turn);
}

function add(c: Conversation, item: Item): Conversation {
  return { ...c, items: [...c.items, item] };
}

/** Too much was missed to be told one by one: this is everything there is. */
function rebuild(
  { messages, has_more, pending_confirmations, settled_confirmations = [], state, turn_id, epoch }: Snapshot,
  c: Conversation,
): Conversation {
  const words = messages.map(
    ({ message_id, turn_id: turn = "", role, text, ts, partial, attachments = [] }): Message => ({
      ...newMessage({ message_id, turn_id: turn, ts }, role === "user" ? "user" : "assistant", "settled"),
      text,
      attachments,
      phase: partial ? (role === "user" ? "draft" : "growing") : "settled",
    }),
  );
  const { capabilities, agent } = c;
  const items = settled_confirmations.reduce<readonly Item[]>(withReceipt, words);
  const begun: Conversation = { ...EMPTY, capabilities, agent, epoch, hasMore: has_more, items };
  const asked = pending_confirmations.reduce((next, question) => ask(next, turn_id, question, false), begun);
  return state === "idle" ? asked : enter(asked, turn_id, state);
}

/** A receipt stands below the words that decided it, and above what was said of it. */
function withReceipt(items: readonly Item[], { ts, turn_id, answer, result, ...question }: Settled): readonly Item[] {
  const { decision, channel, edited_fields: edited = [] } = answer ?? {};
  const card: CardItem = {
    ...newCard(turn_id, question),
    isOpen: false,
    answer: decision && channel ? { decision, channel, inReplyTo: "", edited } : null,
    isExpired: !answer,
    callId: result?.call_id ?? "",
    result: result ?? null,
  };
  const isBehind = (item: Item) => item.kind === "message" && Date.parse(item.ts) > Date.parse(ts);
  const at = items.findIndex(isBehind);
  return items.toSpliced(at < 0 ? items.length : at, 0, card);
}
