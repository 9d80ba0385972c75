// @ts-check
/**
 * Who is it? Asked only where the server wants to know. The key is kept for this
 * tab and shown to buy tickets with; it never stands in an address.
 */

import { part } from "./parts.js";

const KEY = "sayso.key";
const TICKETS = "/chat/ticket";

const card = part("sign-in", HTMLDialogElement);
const form = part("sign-in-form", HTMLFormElement);
const field = part("sign-in-key", HTMLInputElement);
const words = part("sign-in-words", HTMLElement);

/** Storage may be forbidden; then the key is kept for as long as the page is open. */
let key = (() => {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
})();

/** @param {string} value */
function keep(value) {
  key = value;
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch {
    // It is kept here.
  }
}

/** What a request shows, where there is a key. @returns {Record<string, string>} */
export function authorization() {
  return key ? { Authorization: `Bearer ${key}` } : {};
}

function post() {
  return fetch(TICKETS, { method: "POST", headers: authorization(), cache: "no-store" });
}

/**
 * A ticket for one socket: empty where nobody was asked for a key yet, `null` when
 * the key does not open anything. Fails when the server cannot be reached.
 * @returns {Promise<string | null>}
 */
export async function buyTicket() {
  if (!key) return "";
  const answer = await post();
  if (answer.status === 401) {
    keep("");
    return null;
  }
  if (!answer.ok) throw new Error(`no ticket: ${answer.status}`);
  return (await answer.json()).ticket;
}

/** Whether the server wants a key that we do not have. */
export async function isAsked() {
  if (key) return false;
  try {
    return (await post()).status === 401;
  } catch {
    return false;
  }
}

/**
 * Asks for a key, and goes on once there is one.
 * @param {string} why
 * @param {() => void} goOn
 */
export function askForKey(why, goOn) {
  keep("");
  words.textContent = why;
  form.onsubmit = (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (!typed) return field.focus();
    keep(typed);
    field.value = "";
    card.close();
    goOn();
  };
  if (!card.open) card.showModal();
  field.focus();
}

// There is nothing behind it to go back to.
card.addEventListener("cancel", (event) => event.preventDefault());
