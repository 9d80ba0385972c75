// @ts-check
/**
 * The chat: one socket, one thread, one box to write in, one microphone. Here they meet.
 *
 * `link.js` talks to the server, `thread.js` draws, `conversation.js` says what
 * each event does, `outbox.js` keeps what is not heard yet, `turn.js` tells how
 * far the answer is, `cards.js` holds what waits for a yes, `talk.js` listens and
 * `player.js` speaks.
 *
 * @typedef {import("./link.js").LinkState} LinkState
 */

import { forgetCards, linkMoved } from "./cards.js";
import { composer } from "./composer.js";
import { apply, closeTurn, tell } from "./conversation.js";
import { ANSWER_WITHIN_MS, link } from "./link.js";
import { doubtLater, flush, say } from "./outbox.js";
import { announce, part } from "./parts.js";
import { player } from "./player.js";
import { greet } from "./talk.js";
import { thread } from "./thread.js";
import { interrupt, openTurns, showStatus, stopButton, workingTurn } from "./turn.js";

const BANNER_AFTER_MS = 1500;

/** @type {Record<LinkState, string>} */
const LINK_WORDS = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

const linkPart = part("link", HTMLElement);
const linkWords = part("link-words", HTMLElement);
const banner = part("banner", HTMLElement);
const bannerWords = part("banner-words", HTMLElement);

let bannerTimer = 0;

/** @param {LinkState} state */
function linkChanged(state) {
  const wasLive = linkPart.dataset.link === "live";
  linkPart.dataset.link = state;
  linkWords.textContent = state === "live" ? `Live · ${link.roundTripMs} ms` : LINK_WORDS[state];
  // What was being said does not come again.
  if (wasLive && state !== "live") player.flush();
  if (state !== "live") bannerTimer ||= setTimeout(showBanner, BANNER_AFTER_MS);
  else if (!wasLive) backLive();
  if (!banner.hidden) showBanner();
  linkMoved(state === "live" && !wasLive);
  showStatus();
}

function backLive() {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  bannerWords.textContent = "";
  if (banner.contains(document.activeElement)) composer.words.focus();
  banner.hidden = true;
  greet();
  doubtLater();
  const working = workingTurn();
  if (working) giveUpLater(working.id);
  flush();
}

function showBanner() {
  const waitingWords = link.state === "offline"
    ? "Offline. You can keep typing; it will be sent when you’re back."
    : `${LINK_WORDS[link.state]}… your words are kept.`;
  const words = link.refusal || waitingWords;
  banner.hidden = false;
  if (bannerWords.textContent === words) return;
  bannerWords.textContent = words;
  announce(words);
}

/** A turn that stays silent after the link came back has ended without us. @param {string} turnId */
function giveUpLater(turnId) {
  const since = performance.now();
  setTimeout(() => {
    const turn = workingTurn();
    if (turn?.id !== turnId || turn.heardAt > since || link.state !== "live") return;
    closeTurn(turnId);
    tell("The connection broke during this reply, so its end may be missing.", turnId);
  }, ANSWER_WITHIN_MS);
}

function sessionForgotten() {
  openTurns().forEach((id) => closeTurn(id));
  forgetCards();
  if (!thread.isEmpty) tell("The server no longer has this conversation. What you write now starts a new one.");
}

function submit() {
  player.flush();
  say(composer.words.value);
  composer.fill("");
}

composer.words.addEventListener("input", () => composer.changed());
composer.words.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
composer.form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit();
});
part("chips", HTMLElement).addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  say(target.textContent ?? "");
  composer.words.focus();
});
// A button that stands for words: a free time on a card, one of several choices.
part("scroller", HTMLElement).addEventListener("say", (event) => {
  if (event instanceof CustomEvent) say(String(event.detail));
});
stopButton.addEventListener("click", interrupt);
part("retry", HTMLButtonElement).addEventListener("click", () => link.retryNow());

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing) interrupt();
});
addEventListener("online", () => link.retryNow());
addEventListener("offline", () => link.ping());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) link.retryNow();
});

bannerTimer = setTimeout(showBanner, BANNER_AFTER_MS);
link.start({ changed: linkChanged, heard: apply, forgotten: sessionForgotten });
composer.changed();
if (matchMedia("(pointer: fine)").matches) composer.words.focus();
