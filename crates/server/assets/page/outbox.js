// @ts-check
/**
 * What the person wrote, from the box until the server has heard it.
 *
 * @typedef {{ bubble: Bubble, text: string, attachments: string[], eventId: string, isSent: boolean, isLate?: boolean, isComing?: boolean }} Waiting
 * @typedef {import("./wire.js").Failure} Failure
 */

import { takeAttached, uploads } from "./attach.js";
import { openCards } from "./cards.js";
import { composer } from "./composer.js";
import { link } from "./link.js";
import { announce, makeButton } from "./parts.js";
import { Bubble, thread } from "./thread.js";
import { workingTurn } from "./turn.js";
import { newEventId, personWords } from "./wire.js";

const DOUBT_AFTER_MS = 3000;

/** What was written here and has not been heard there, oldest first. @type {Waiting[]} */
let waiting = [];
/** Until something is said here, what arrives is history and is not read out. */
export let hasSpoken = false;

/** @param {string} words */
export function say(words) {
  const text = words.trim();
  if (!text) return;
  hasSpoken = true;
  const bubble = new Bubble("user", new Date().toISOString());
  bubble.text.data = text;
  /** @type {Waiting} */
  const one = { bubble, text, attachments: [], eventId: newEventId(), isSent: false };
  const coming = uploads();
  if (!coming) one.attachments = takeAttached();
  else {
    // The words are about the file that is on its way: they wait for it.
    one.isComing = true;
    // A card that comes up meanwhile is not what they answer.
    one.isLate = true;
    bubble.note("Waiting for the file…", "late");
    void coming.then(() => {
      one.attachments = takeAttached();
      one.isComing = false;
      flush();
    });
  }
  enqueue(one);
}

/** @param {Waiting} one */
function enqueue(one) {
  waiting.push(one);
  one.bubble.article.classList.add("unsettled");
  thread.add(one.bubble.node);
  one.bubble.node.dataset.waiting = "";
  thread.toEnd();
  flush();
}

/** Sends what is not sent yet, in the order it was written. */
export function flush() {
  for (const one of waiting) {
    if (one.isSent) continue;
    // What was written after it stays behind it.
    if (one.isComing) break;
    if (couldAnswerACard(one)) {
      askBeforeSending(one);
      continue;
    }
    one.isSent = link.send(one.eventId, "text.input", { text: one.text, source: "keyboard", attachments: one.attachments });
    if (one.isSent) one.bubble.note(workingTurn() ? "Next in line" : "Sending…", "late");
    else waitForLink(one);
  }
}

/** @param {Waiting} one */
function waitForLink(one) {
  one.isLate = true;
  one.bubble.note("Will be sent when you’re back");
}

/** Words from before the link came back were not written with this card in view. @param {Waiting} one */
function couldAnswerACard({ isLate = false }) {
  return isLate && link.state === "live" && openCards().length > 0;
}

/** A yes is never kept for later, so the person sends it now or not at all. @param {Waiting} one */
function askBeforeSending(one) {
  const send = makeButton("text-button", "Send", () => {
    one.isLate = false;
    sendAgain(one);
  });
  one.bubble.note("Not sent: a card waits for an answer", "problem", send);
}

/** The same words under the same id, so that a server that heard them can tell. @param {Waiting} one */
function sendAgain(one) {
  waiting = waiting.filter((other) => other !== one);
  one.bubble.node.remove();
  enqueue({ ...one, isSent: false });
}

/** @param {Waiting} one */
function editAgain(one) {
  one.bubble.node.remove();
  composer.fill(one.text);
}

/** Our own words, by the id they were sent under. @param {string | null | undefined} eventId */
export function takeWaiting(eventId) {
  const ours = waiting.find((one) => one.eventId === eventId);
  waiting = waiting.filter((one) => one !== ours);
  return ours;
}

/**
 * The server did not take these words: say why beside them, and keep them.
 * False when the failure is about something else.
 * @param {Failure} failure
 */
export function refuse(failure) {
  const one = waiting.find((other) => other.eventId === failure.in_reply_to);
  if (!one) return false;
  const words = personWords(failure);
  const button = failure.retryable
    ? makeButton("text-button", "Send again", () => sendAgain(one))
    : makeButton("text-button", "Edit", () => editAgain(one));
  waiting = waiting.filter((other) => other !== one);
  delete one.bubble.node.dataset.waiting;
  one.bubble.note(words, "problem", button);
  announce(words);
  return true;
}

/** What was on its way when the link broke may be lost, and only the person may repeat it. */
export function doubtLater() {
  const ones = waiting.filter((one) => one.isSent);
  const doubt = () => {
    for (const one of ones.filter((other) => waiting.includes(other))) {
      const again = makeButton("text-button", "Send again", () => sendAgain(one));
      one.bubble.note("This may not have arrived", "problem", again);
    }
  };
  if (ones.length) setTimeout(doubt, DOUBT_AFTER_MS);
}
