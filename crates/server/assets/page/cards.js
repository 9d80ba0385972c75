// @ts-check
/**
 * All the cards of the conversation: what each event does to them, and the ways
 * back to one that is out of sight.
 *
 * @typedef {import("./wire.js").Answered} Answered
 * @typedef {import("./wire.js").Envelope} Envelope
 * @typedef {import("./wire.js").Failure} Failure
 * @typedef {import("./wire.js").Question} Question
 * @typedef {import("./wire.js").ToolRequest} ToolRequest
 * @typedef {import("./wire.js").ToolResult} ToolResult
 */

import { Card } from "./card.js";
import { link } from "./link.js";
import { part } from "./parts.js";
import { iconOf, shortQuestion } from "./preview.js";
import { answered, expired, landed, underWay } from "./receipt.js";
import { thread } from "./thread.js";

const TITLE = document.title;
const TITLE_WHILE_ASKING = `● Confirm – ${TITLE}`;
/** So much of a card, or of the window, is enough to call it seen. */
const SEEN_SHARE = 0.4;

/** @type {Map<string, Card>} */
const cards = new Map();
/** Turns that tell how earlier ones ended. @type {Map<string, string>} */
const follows = new Map();
/** @type {Set<Element>} */
const seen = new Set();

const dock = part("dock", HTMLButtonElement);
const dockMark = part("dock-mark", HTMLElement);
const dockWords = part("dock-words", HTMLElement);
const keys = part("keys-card", HTMLElement);

const watch = new IntersectionObserver(
  (entries) => {
    for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
      const share = Math.max(intersectionRatio, intersectionRect.height / (rootBounds?.height || Infinity));
      if (share >= SEEN_SHARE) seen.add(target);
      else seen.delete(target);
    }
    showWays();
  },
  { root: part("scroller", HTMLElement), threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1] },
);

/** @param {Question} question @param {Envelope} envelope */
export function ask(question, { turn_id }) {
  const known = cards.get(question.confirmation_request_id);
  if (known) return change(question);
  const card = new Card(question, turn_id);
  cards.set(card.id, card);
  thread.add(card.node, turn_id);
  watch.observe(card.box);
  thread.hint();
  showWays();
}

/** @param {Question} question */
export function change(question) {
  const card = cards.get(question.confirmation_request_id);
  if (!card) return;
  const isRevised = question.revision !== card.question.revision;
  card.update(question);
  // What is to be looked at again comes to where people look.
  if (isRevised && link.state === "live") thread.add(card.node);
  showWays();
}

/** @param {Answered} answer */
export function settle({ confirmation_request_id, decision, channel }) {
  const card = cards.get(confirmation_request_id);
  if (!card) return;
  card.answer = howAnswered(card, decision, channel);
  const receipt = answered(card.question, decision);
  close(card, decision === "reject" ? receipt : { ...receipt, words: card.answer });
}

/** @param {string} id */
export function lapse(id) {
  const card = cards.get(id);
  if (card) close(card, expired(card.question));
}

/** Who said so. What is replayed may have been said here, so nothing is claimed of it. @param {Card} card @param {Answered["decision"]} decision @param {string} channel */
function howAnswered(card, decision, channel) {
  if (channel === "voice" && decision !== "reject") return "You said yes aloud";
  const isElsewhere = link.state === "live" && !card.isAnsweredHere(decision, channel);
  if (isElsewhere) return channel === "api" ? "Answered from another program" : "Answered on another device";
  if (decision === "reject") return "";
  return decision === "edit" ? "You changed it and said yes" : "You said yes";
}

/** @param {Card} card @param {import("./receipt.js").Receipt} receipt */
function close(card, receipt) {
  card.close(receipt);
  watch.unobserve(card.box);
  showWays();
}

/** This turn tells of an earlier one. @param {string | null | undefined} turnId @param {string | null | undefined} earlier */
export function followUp(turnId, earlier) {
  if (turnId && earlier) follows.set(turnId, earlier);
}

/** True when the call is what a card asked for: the card tells of it. @param {ToolRequest} request */
export function beginWrite({ call_id, confirmation_request_id }) {
  const card = cards.get(confirmation_request_id ?? "");
  if (!card) return false;
  card.callId = call_id;
  close(card, underWay(card.question));
  return true;
}

/** @param {ToolResult} result @param {Envelope} envelope */
export function landWrite(result, { turn_id, ts }) {
  const card = [...cards.values()].find((one) => one.callId === result.call_id) ?? neverBegun(result, turn_id);
  if (!card) return false;
  card.callId = result.call_id;
  close(card, landed(card.question, result, ts));
  return true;
}

/** A write that was stopped before it began has a result, yet no request. @param {ToolResult} result @param {string | null | undefined} turnId */
function neverBegun({ state }, turnId) {
  if (!state) return undefined;
  return ofTurn(turnId).find((card) => !card.callId && card.receipt?.tone === "busy");
}

/** True when the failure is about an answer to a card. @param {Failure} failure */
export function refuseAnswer(failure) {
  const isOurs = [...cards.values()].some((card) => card.refuse(failure));
  if (isOurs) showWays();
  return isOurs;
}

/** @param {string | null | undefined} turnId @param {boolean} isHere */
export function talkedAbout(turnId, isHere) {
  for (const card of ofTurn(turnId)) card.isTalkedToHere = isHere;
}

/** Has a receipt told already that this turn did not do what it was asked? @param {string | null | undefined} turnId */
export function isToldByReceipt(turnId) {
  return ofTurn(turnId).some(({ receipt }) => receipt && receipt.tone !== "done");
}

/** @param {string | null | undefined} turnId */
function ofTurn(turnId) {
  const ids = [turnId, follows.get(turnId ?? "")];
  return [...cards.values()].filter((card) => ids.includes(card.turnId));
}

export function openCards() {
  return [...cards.values()].filter(({ isOpen }) => isOpen);
}

/** @param {boolean} isBack */
export function linkMoved(isBack) {
  for (const card of openCards()) {
    if (isBack) card.backLive();
    card.refresh();
  }
}

/** The server does not know this conversation any more. */
export function forgetCards() {
  for (const card of openCards()) close(card, { tone: "not", words: "No longer open", note: "The server does not have it any more" });
}

/** To the card that waits longest, or the one after the one in hand. */
export function goToCard() {
  const open = openCards();
  const at = open.findIndex(({ box }) => box.contains(document.activeElement));
  open[(at + 1) % open.length]?.focus();
}

/** The strip above the box, the title of the tab, the hint about the key. */
function showWays() {
  const open = openCards();
  const away = open.find(({ box }) => !seen.has(box));
  document.title = open.length ? TITLE_WHILE_ASKING : TITLE;
  keys.hidden = !open.length;
  dock.hidden = !away;
  if (!away) return;
  dockMark.replaceChildren(iconOf(away.question));
  dockWords.textContent = shortQuestion(away.question);
}

dock.addEventListener("click", () => openCards().find(({ box }) => !seen.has(box))?.focus());
addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== "KeyC" || !openCards().length) return;
  event.preventDefault();
  goToCard();
});
setInterval(() => openCards().forEach((card) => card.refresh()), 1000);
