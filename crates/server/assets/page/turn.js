// @ts-check
/**
 * The turns under way, and the line that says how far they are. One works at a
 * time; others may wait for an answer meanwhile.
 *
 * @typedef {"calm" | "busy" | "asking" | "bad"} Tone
 * @typedef {{ id: string, state: string, words: string, heardAt: number }} Turn
 */

import { composer } from "./composer.js";
import { link } from "./link.js";
import { announce, part } from "./parts.js";
import { player } from "./player.js";
import { newEventId } from "./wire.js";

const SLOW_TURN_MS = 10_000;
const WAITING = "awaiting_confirmation";

/** @type {Record<string, { words: string, tone: Tone }>} */
const TURN_WORDS = {
  idle: { words: "Ready", tone: "calm" },
  listening: { words: "Listening", tone: "busy" },
  finalizing_input: { words: "Got it", tone: "busy" },
  thinking: { words: "Thinking", tone: "busy" },
  executing_tools: { words: "Working", tone: "busy" },
  awaiting_confirmation: { words: "Waiting for your OK", tone: "asking" },
  speaking: { words: "Replying", tone: "busy" },
  cancelled: { words: "Stopped", tone: "calm" },
  error_recoverable: { words: "That didn’t work, trying again", tone: "asking" },
  error_terminal: { words: "Couldn’t finish this", tone: "bad" },
};

/** @type {Map<string, Turn>} */
const open = new Map();
/** @type {Set<string>} */
const endedTurns = new Set();
let interruptId = "";
let slowTimer = 0;
let flashTimer = 0;

const statePart = part("state", HTMLElement);
const stateWords = part("state-words", HTMLElement);
export const stopButton = part("stop", HTMLButtonElement);

/** The turn that works right now; one that waits for an answer does not. */
export function workingTurn() {
  const working = [...open.values()].filter(({ state }) => state !== WAITING);
  return working.reduce((/** @type {Turn | null} */ latest, one) => (latest && latest.heardAt > one.heardAt ? latest : one), null);
}

/** @param {string | null | undefined} id @param {string} [state] unchanged when left out */
export function enterTurn(id, state) {
  if (!id || endedTurns.has(id)) return;
  const turn = open.get(id) ?? { id, state: "thinking", words: "", heardAt: 0 };
  open.set(id, turn);
  turn.heardAt = performance.now();
  if (state && state !== turn.state) Object.assign(turn, { state, words: "" });
  showStatus();
}

/** @param {string | null | undefined} id */
export function hearOf(id) {
  const turn = open.get(id ?? "");
  if (turn) turn.heardAt = performance.now();
}

/** What it is at, in the server's words. @param {string | null | undefined} id @param {string} [words] */
export function describeTurn(id, words) {
  const turn = open.get(id ?? "");
  if (turn && words) turn.words = words;
  showStatus();
}

/** @param {string | null | undefined} id */
export function leaveTurn(id) {
  if (open.delete(id ?? "")) showStatus();
}

/** Nothing that still arrives opens this turn again. @param {string | null | undefined} id */
export function endTurn(id) {
  if (id) endedTurns.add(id);
  leaveTurn(id);
}

export function openTurns() {
  return [...open.keys()];
}

/** Stops what works. A question that waits is not answered by it. */
export function interrupt() {
  const turn = workingTurn();
  // The question of a card may be stopped too; the card stays open.
  if (!turn && !player.isPlaying) return;
  interruptId = newEventId();
  const heard_ms = player.isPlaying ? player.heardMs : undefined;
  player.flush();
  const isSent = link.send(interruptId, "user.interrupt", { reason: "barge_in", cancel_turn_id: turn?.id, heard_ms });
  if (isSent && turn) turn.words = "Stopping";
  showStatus();
}

/** A stop that came when there was nothing left to stop. @param {string | null | undefined} eventId */
export function isLateStop(eventId) {
  return Boolean(eventId) && eventId === interruptId && !workingTurn();
}

export function showStatus() {
  clearTimeout(flashTimer);
  const [waiting] = open.values();
  const working = workingTurn();
  const turn = working ?? waiting;
  const { words, tone } = TURN_WORDS[turn?.state ?? "idle"] ?? TURN_WORDS.thinking;
  const isIdleApart = !turn && link.state !== "live";
  drawStatus(isIdleApart ? "You can keep typing" : turn?.words || words, tone);
  showStop(working !== null && link.state === "live");
  composer.invite(turn?.state === WAITING ? "Answer, or ask something else" : "Message Sayso");
  clearTimeout(slowTimer);
  if (turn && tone === "busy") slowTimer = setTimeout(() => drawStatus("Taking longer than usual", tone), SLOW_TURN_MS);
}

/** Shown for a moment after the turn is over. @param {string} state */
export function flashStatus(state) {
  const { words, tone } = TURN_WORDS[state];
  drawStatus(words, tone);
  announce(words);
  clearTimeout(flashTimer);
  flashTimer = setTimeout(showStatus, 1500);
}

/** @param {string} words @param {Tone} tone */
function drawStatus(words, tone) {
  stateWords.textContent = words;
  statePart.dataset.tone = tone;
}

/** A button that goes away does not take the focus with it. @param {boolean} isShown */
function showStop(isShown) {
  if (!isShown && document.activeElement === stopButton) composer.words.focus();
  stopButton.hidden = !isShown;
}
