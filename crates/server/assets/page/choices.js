// @ts-check
/**
 * A question whose answers can be counted: one row each, with its number as a key.
 * Choosing says the name, as the person could have done.
 *
 * @typedef {import("./wire.js").PlanUpdate} PlanUpdate
 */

import { announceNow, make, makeButton, part } from "./parts.js";
import { thread } from "./thread.js";

const MOST_KEYS = 9;
const NONE = "None of these";

/** What each turn could be answered with. @type {Map<string, string[]>} */
const offered = new Map();
/** @type {HTMLElement | null} */
let shown = null;

/** @param {PlanUpdate} plan @param {string | null | undefined} turnId */
export function offer({ choices = [] }, turnId) {
  if (turnId) offered.set(turnId, choices.map(({ name }) => name));
}

/** The question stands; its answers go below it. @param {string | null | undefined} turnId @param {boolean} isNew */
export function showChoices(turnId, isNew) {
  const choices = offered.get(turnId ?? "") ?? [];
  offered.delete(turnId ?? "");
  if (!choices.length) return;
  withdraw();
  shown = draw(choices);
  thread.add(shown, turnId);
  thread.hint();
  if (isNew) announceNow(`Choose one: ${choices.map((name, at) => `${at + 1}, ${name}`).join("; ")}. Or say none of these.`);
}

/** Whatever is said next answers it, or is about something else. */
export function withdraw() {
  if (shown?.contains(document.activeElement)) part("words", HTMLTextAreaElement).focus();
  shown?.remove();
  shown = null;
}

/** @param {string[]} choices */
function draw(choices) {
  const rows = [...choices, NONE].map((name, at) => row(name, at, name === NONE));
  const list = make("div", "choices", ...rows);
  list.role = "group";
  list.ariaLabel = "Choose one";
  return make("li", "", list);
}

/** @param {string} name @param {number} at @param {boolean} isNone */
function row(name, at, isNone) {
  const button = makeButton(isNone ? "choice is-none" : "choice", "", () => {
    button.dispatchEvent(new CustomEvent("say", { bubbles: true, detail: isNone ? "none of these" : name }));
  });
  if (!isNone && at < MOST_KEYS) {
    const key = make("kbd", "", String(at + 1));
    key.ariaHidden = "true";
    button.append(key);
  }
  button.append(make("span", "", name));
  return button;
}

/** A number chooses, unless somebody is writing. @param {KeyboardEvent} event */
function pressed({ key, ctrlKey, metaKey, altKey, isComposing, target }) {
  if (!shown || ctrlKey || metaKey || altKey || isComposing) return;
  if (target !== document.body && !(target instanceof Node && shown.contains(target))) return;
  const chosen = [...shown.querySelectorAll("button:not(.is-none)")].at(Number(key) - 1);
  if (/^[1-9]$/.test(key) && chosen instanceof HTMLButtonElement) chosen.click();
}

addEventListener("keydown", pressed);
