// @ts-check
/**
 * What each event of the server does to the screen: start at the table `on`.
 *
 * @typedef {import("./wire.js").Envelope} Envelope
 * @typedef {import("./wire.js").Failure} Failure
 * @typedef {import("./wire.js").Payloads} Payloads
 * @typedef {import("./wire.js").ToolNews} ToolNews
 * @typedef {import("./wire.js").ToolRequest} ToolRequest
 */

import { hasSpoken, refuse, say, takeWaiting } from "./outbox.js";
import { announce, makeButton } from "./parts.js";
import { Bubble, ToolLine, notice, thread } from "./thread.js";
import { endTurn, enterTurn, flashStatus, isLateStop, leaveTurn, showStatus, turn } from "./turn.js";
import { personWords } from "./wire.js";

/** How a turn that did not simply succeed is told. @type {Record<string, string>} */
const OUTCOME_WORDS = {
  partial: "Only part of this worked.",
  failed: "I couldn’t finish this.",
  unknown: "I can’t tell yet whether this worked.",
};

/** Endings that the answer itself has told already. */
const TOLD_BY_THE_ANSWER = ["needs_answer", "not_understood", "not_possible"];

/** @type {Map<string, Bubble>} */
const bubbles = new Map();
/** @type {Map<string, ToolLine>} */
const tools = new Map();

/** What each event does. An event that is not in here is not for this page. @type {{
 *   [K in keyof Payloads]: (payload: Payloads[K], envelope: Envelope) => void
 * }} */
const on = {
  "turn.start": ({ input_mode }, { turn_id }) =>
    enterTurn(turn_id, input_mode === "voice" ? "listening" : "finalizing_input"),
  "state.change": ({ to }, { turn_id }) => {
    if (to === "idle") leaveTurn(turn_id);
    else enterTurn(turn_id, to);
  },
  "turn.end": ({ outcome, error_code }, { turn_id }) => {
    closeTurn(turn_id);
    if (TOLD_BY_THE_ANSWER.includes(error_code ?? "")) return;
    if (OUTCOME_WORDS[outcome] && !thread.hasNotice(turn_id)) tell(OUTCOME_WORDS[outcome], turn_id);
  },
  "turn.cancelled": ({ cancel_turn_id }) => {
    closeTurn(cancel_turn_id, "Stopped");
    flashStatus("cancelled");
  },

  "input_transcript.delta": ({ text }, envelope) => userBubble(envelope).grow(text),
  "input_transcript.final": ({ text }, envelope) => hear(text, envelope),
  "assistant_text.delta": ({ text }, envelope) => {
    enterTurn(envelope.turn_id);
    assistantBubble(envelope).grow(text);
    thread.hint();
  },
  "assistant_text.final": ({ text }, envelope) => finishReply(text, envelope),

  "tool_call.request": (request, envelope) => startTool(request, envelope),
  "tool_call.queued": (news) => reportTool(news),
  "tool_call.progress": (news) => reportTool(news),
  "tool_call.result": (result, { ts }) => tools.get(result.call_id)?.finish(result, ts),

  "error": (failure, { turn_id }) => fail(failure, turn_id),
};

/** @param {Envelope} envelope */
export function apply(envelope) {
  const { event_type } = envelope;
  if (!Object.hasOwn(on, event_type)) return;
  if (turn && turn.id === envelope.turn_id) turn.heardAt = performance.now();
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
  if (message_id) bubbles.set(message_id, bubble);
  thread.addFirst(bubble.node, turn_id);
  return bubble;
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

/** The server has heard words: ours, or those of another window. @param {string} text @param {Envelope} envelope */
function hear(text, envelope) {
  const isKnown = bubbles.has(envelope.message_id ?? "");
  const ours = isKnown ? undefined : takeWaiting(text);
  if (ours) adopt(ours.bubble, envelope);
  const bubble = ours?.bubble ?? userBubble(envelope);
  bubble.settle(text);
  bubble.stamp(envelope.ts);
}

/** @param {Bubble} bubble @param {Envelope} envelope */
function adopt(bubble, { message_id, turn_id }) {
  delete bubble.node.dataset.waiting;
  if (message_id) bubbles.set(message_id, bubble);
  thread.addFirst(bubble.node, turn_id);
}

/** @param {string} text @param {Envelope} envelope */
function finishReply(text, envelope) {
  const bubble = assistantBubble(envelope);
  if (!text.trim()) return bubble.node.remove();
  bubble.settle(text);
  bubble.stamp(envelope.ts);
  if (bubble.streamed || hasSpoken) announce(`Sayso: ${text}`);
  thread.hint();
}

/** @param {ToolRequest} request @param {Envelope} envelope */
function startTool(request, { turn_id, ts }) {
  const tool = new ToolLine(request, ts);
  tools.set(request.call_id, tool);
  enterTurn(turn_id, "executing_tools");
  if (turn) turn.words = tool.label;
  // A reply that has begun ends below the look-ups that feed it.
  const open = [...bubbles.values()].find((one) => one.isOpen && one.node.dataset.turn === turn_id);
  thread.add(tool.node, turn_id, open?.node);
  showStatus();
}

/** @param {ToolNews} news */
function reportTool(news) {
  tools.get(news.call_id)?.report(news);
  if (turn && news.message) turn.words = news.message;
  showStatus();
}

/** @param {Failure} failure @param {string | null | undefined} turnId */
function fail(failure, turnId) {
  if (refuse(failure) || isLateStop(failure.in_reply_to)) return;
  tell(personWords(failure), turnId, ...(failure.retryable ? askAgain(turnId) : []));
}

/** A button that says the words of a turn once more, if we know them. @param {string | null | undefined} turnId */
function askAgain(turnId) {
  const asked = [...bubbles.values()].find((one) => one.speaker === "user" && one.node.dataset.turn === turnId);
  return asked && turnId ? [makeButton("quiet-button", "Try again", () => say(asked.text.data))] : [];
}

/** @param {string} words @param {string | null} [turnId] @param {HTMLElement[]} buttons */
export function tell(words, turnId, ...buttons) {
  thread.add(notice(words, ...buttons), turnId);
  announce(words);
  thread.hint();
}
