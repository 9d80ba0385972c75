// @ts-check
/**
 * What each event of the server does to the screen: start at the table `on`.
 *
 * @typedef {import("./wire.js").Envelope} Envelope
 * @typedef {import("./wire.js").Failure} Failure
 * @typedef {import("./wire.js").Heard} Heard
 * @typedef {import("./wire.js").Payloads} Payloads
 * @typedef {import("./wire.js").ToolNews} ToolNews
 * @typedef {import("./wire.js").ToolRequest} ToolRequest
 */

import { ask, beginWrite, change, followUp, isToldByReceipt, landWrite, lapse, refuseAnswer, settle, talkedAbout } from "./cards.js";
import { offer, showChoices, withdraw } from "./choices.js";
import { link } from "./link.js";
import { player } from "./player.js";
import { canHear, isTalking } from "./talk.js";
import { hasSpoken, refuse, say, takeWaiting } from "./outbox.js";
import { announce, makeButton } from "./parts.js";
import { Bubble, ToolLine, notice, thread } from "./thread.js";
import { describeTurn, endTurn, enterTurn, flashStatus, hearOf, isLateStop, leaveTurn } from "./turn.js";
import { newEventId, personWords } from "./wire.js";

/** How a turn that did not simply succeed is told. @type {Record<string, string>} */
const OUTCOME_WORDS = {
  partial: "Only part of this worked.",
  failed: "I couldn’t finish this.",
  unknown: "I can’t tell yet whether this worked.",
};

/** Endings that the answer itself has told already. */
const TOLD_BY_THE_ANSWER = ["needs_answer", "not_understood", "not_possible", "rejected", "expired"];

/** @type {Map<string, Bubble>} */
const bubbles = new Map();
/** There is a voice. */
let speaks = false;
/** @type {Map<string, ToolLine>} */
const tools = new Map();
/** The frame that began each turn. @type {Map<string, string>} */
const begunBy = new Map();

/** What each event does. An event that is not in here is not for this page. @type {{
 *   [K in keyof Payloads]: (payload: Payloads[K], envelope: Envelope) => void
 * }} */
const on = {
  "turn.start": ({ input_mode, in_reply_to, follows }, { turn_id }) => {
    dropDraft();
    if (turn_id && in_reply_to) begunBy.set(turn_id, in_reply_to);
    followUp(turn_id, follows);
    if (!follows) withdraw();
    enterTurn(turn_id, input_mode === "voice" ? "listening" : "finalizing_input");
  },
  "state.change": ({ to }, { turn_id }) => {
    if (to === "idle") leaveTurn(turn_id);
    else enterTurn(turn_id, to);
  },
  "turn.end": ({ outcome, error_code }, { turn_id }) => {
    closeTurn(turn_id);
    if (error_code === "needs_answer") showChoices(turn_id, hasSpoken);
    if (TOLD_BY_THE_ANSWER.includes(error_code ?? "") || isToldByReceipt(turn_id)) return;
    if (OUTCOME_WORDS[outcome] && !thread.hasNotice(turn_id)) tell(OUTCOME_WORDS[outcome], turn_id);
  },
  "turn.cancelled": ({ cancel_turn_id }) => {
    closeTurn(cancel_turn_id, "Stopped");
    flashStatus("cancelled");
  },

  "input_transcript.delta": ({ text }, envelope) => {
    (envelope.turn_id ? userBubble(envelope) : draftBubble(envelope)).hear(text);
    thread.hint();
  },
  "input_transcript.final": (heard, envelope) => hear(heard, envelope),
  "assistant_text.delta": ({ text }, envelope) => {
    enterTurn(envelope.turn_id);
    assistantBubble(envelope).grow(text);
    thread.hint();
  },
  "assistant_text.final": ({ text }, envelope) => finishReply(text, envelope),

  "assistant_audio.start": (began, { message_id }) => player.begin(began, message_id ?? ""),
  "assistant_audio.chunk": (chunk, { message_id }) => player.play(chunk, message_id ?? ""),
  "assistant_audio.level": ({ gain }) => player.level(gain),
  "assistant_audio.end": ({ interrupted }) => player.finish(Boolean(interrupted)),

  "plan.update": (plan, { turn_id }) => offer(plan, turn_id),

  "tool_call.request": (request, envelope) => startTool(request, envelope),
  "tool_call.queued": (news, envelope) => reportTool(news, envelope),
  "tool_call.progress": (news, envelope) => reportTool(news, envelope),
  "tool_call.result": (result, envelope) => {
    if (!landWrite(result, envelope)) tools.get(result.call_id)?.finish(result, envelope.ts);
  },

  "confirmation.request": (question, envelope) => {
    ask(question, envelope);
    enterTurn(envelope.turn_id, "awaiting_confirmation");
  },
  "confirmation.updated": (question) => change(question),
  "confirmation.resolved": (answer, { turn_id }) => {
    settle(answer);
    enterTurn(turn_id, "executing_tools");
  },
  "confirmation.expired": ({ confirmation_request_id }, { turn_id }) => {
    lapse(confirmation_request_id);
    enterTurn(turn_id, "executing_tools");
  },

  "error": (failure, { turn_id }) => fail(failure, turn_id),

  "session.ready": ({ capabilities }) => {
    canHear(capabilities.hears);
    speaks = capabilities.speaks;
    for (const [messageId, bubble] of bubbles) offerToHear(bubble, messageId);
  },
  "session.resumed": ({ state, turn_id }) => {
    if (turn_id && state !== "idle") enterTurn(turn_id, state);
  },
  // The link unfolds it into the events that would have led there.
  "resync": () => {},
};

/** @param {Envelope} envelope */
export function apply(envelope) {
  const { event_type } = envelope;
  if (!Object.hasOwn(on, event_type)) return;
  hearOf(envelope.turn_id);
  const handle = on[/** @type {keyof Payloads} */ (event_type)];
  handle(/** @type {never} */ (envelope.payload), envelope);
}

/**
 * Nothing of this turn moves any more.
 * @param {string | null | undefined} id
 * @param {string} note what became of an open reply
 */
export function closeTurn(id, note = "") {
  for (const bubble of bubbles.values()) {
    if (!bubble.isOpen || bubble.node.dataset.turn !== id) continue;
    // Words that were never heard to their end.
    if (bubble.speaker === "user") bubble.node.remove();
    bubble.settle();
    bubble.note(note);
  }
  for (const tool of tools.values()) if (tool.node.dataset.turn === id) tool.stop();
  endTurn(id);
}

/** @param {Envelope} envelope */
function userBubble({ message_id, turn_id, ts }) {
  const known = message_id && bubbles.get(message_id);
  if (known) return known;
  const bubble = new Bubble("user", ts);
  placeUser(bubble, message_id, turn_id);
  return bubble;
}

/**
 * What began a turn stands above all that came of it; what is said about its card stands below.
 * @param {Bubble} bubble
 * @param {string | null | undefined} messageId
 * @param {string | null | undefined} turnId
 */
function placeUser(bubble, messageId, turnId) {
  if (userBubbleOf(turnId)) thread.add(bubble.node, turnId);
  else thread.addFirst(bubble.node, turnId);
  if (messageId) bubbles.set(messageId, bubble);
}

/** What is being said beside a turn, until it is known where it belongs. @type {Bubble | null} */
let draft = null;
let draftTimer = 0;
/** Words that nothing comes of are gone after this. */
const DRAFT_LASTS_MS = 4_000;

/** @param {Envelope} envelope */
function draftBubble({ ts }) {
  if (!draft) {
    draft = new Bubble("user", ts);
    thread.add(draft.node, null);
  }
  clearTimeout(draftTimer);
  draftTimer = setTimeout(dropDraft, DRAFT_LASTS_MS);
  return draft;
}

function dropDraft() {
  clearTimeout(draftTimer);
  draft?.node.remove();
  draft = null;
}

/** The words that began a turn. @param {string | null | undefined} turnId */
function userBubbleOf(turnId) {
  return [...bubbles.values()].find((one) => one.speaker === "user" && one.node.dataset.turn === turnId);
}

/** @param {Envelope} envelope */
function assistantBubble({ message_id, turn_id, ts }) {
  const key = message_id || `reply of ${turn_id}`;
  const known = bubbles.get(key);
  if (known) return known;
  const bubble = new Bubble("assistant", ts);
  bubbles.set(key, bubble);
  thread.add(bubble.node, turn_id);
  return bubble;
}

/** The server has heard words: ours, or those of another window. @param {Heard} heard @param {Envelope} envelope */
function hear({ text, in_reply_to }, envelope) {
  dropDraft();
  const isKnown = bubbles.has(envelope.message_id ?? "");
  const ours = isKnown ? undefined : takeWaiting(in_reply_to ?? begunBy.get(envelope.turn_id ?? ""));
  talkedAbout(envelope.turn_id, Boolean(ours));
  if (ours) adopt(ours.bubble, envelope);
  const bubble = ours?.bubble ?? userBubble(envelope);
  bubble.settle(text);
  bubble.stamp(envelope.ts);
}

/** @param {Bubble} bubble @param {Envelope} envelope */
function adopt(bubble, { message_id, turn_id }) {
  delete bubble.node.dataset.waiting;
  placeUser(bubble, message_id, turn_id);
}

/** @param {string} text @param {Envelope} envelope */
function finishReply(text, envelope) {
  const bubble = assistantBubble(envelope);
  if (!text.trim()) return bubble.node.remove();
  bubble.settle(text);
  bubble.stamp(envelope.ts);
  offerToHear(bubble, envelope.message_id);
  // What is replayed was heard before.
  // What is spoken need not be read out besides.
  if (link.state === "live" && !isTalking() && (bubble.streamed || hasSpoken)) announce(`Sayso: ${text}`);
  thread.hint();
}

/** Pressed a second time it stops. @param {Bubble} bubble @param {string | null | undefined} messageId */
function offerToHear(bubble, messageId) {
  if (!speaks || !messageId || bubble.speaker !== "assistant" || bubble.isOpen) return;
  bubble.offer("Hear again", () => {
    player.wake();
    link.send(newEventId(), "playback.replay", { message_id: messageId });
  });
}

/** @param {ToolRequest} request @param {Envelope} envelope */
function startTool(request, { turn_id, ts }) {
  enterTurn(turn_id, "executing_tools");
  if (request.label) describeTurn(turn_id, request.label);
  if (beginWrite(request)) return;
  const tool = new ToolLine(request, ts);
  tools.set(request.call_id, tool);
  // A reply that has begun ends below the look-ups that feed it.
  const open = [...bubbles.values()].find((one) => one.isOpen && one.node.dataset.turn === turn_id);
  thread.add(tool.node, turn_id, open?.node);
}

/** @param {ToolNews} news @param {Envelope} envelope */
function reportTool(news, { turn_id }) {
  tools.get(news.call_id)?.report(news);
  describeTurn(turn_id, news.message);
}

/** @param {Failure} failure @param {string | null | undefined} turnId */
function fail(failure, turnId) {
  if (refuse(failure) || refuseAnswer(failure) || isLateStop(failure.in_reply_to)) return;
  tell(personWords(failure), turnId, ...(failure.retryable ? askAgain(turnId) : []));
}

/** A button that says the words of a turn once more, if we know them. @param {string | null | undefined} turnId */
function askAgain(turnId) {
  const asked = userBubbleOf(turnId);
  return asked && turnId ? [makeButton("quiet-button", "Try again", () => say(asked.text.data))] : [];
}

/** @param {string} words @param {string | null} [turnId] @param {HTMLElement[]} buttons */
export function tell(words, turnId, ...buttons) {
  thread.add(notice(words, ...buttons), turnId);
  announce(words);
  thread.hint();
}
