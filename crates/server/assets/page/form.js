// @ts-check
/**
 * The fields of a card while somebody changes them, in place.
 *
 * @typedef {import("./wire.js").Field} Field
 * @typedef {import("./wire.js").Question} Question
 * @typedef {HTMLInputElement | HTMLTextAreaElement} Box
 */

import { make } from "./parts.js";
import { readZoned, shiftLocal, wallClock, zoned } from "./zoned.js";

const LOOKS_LIKE_AN_ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** One field: what it holds, and what it held when the card was shown. */
class Entry {
  /** @param {Field} field @param {unknown} value */
  constructor(field, value) {
    this.field = field;
    this.was = value;
    this.input = makeBox(field, value);
    this.problem = make("p", "field-problem");
    this.problem.hidden = true;
    const id = `field-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
    const label = make("label", "", field.label);
    this.input.id = label.htmlFor = id;
    this.problem.id = `${id}-problem`;
    this.node = make("div", "field", label, this.input, this.problem);
    const zone = field.kind === "time" ? readZoned(value)?.zone : "";
    if (zone) this.node.append(make("p", "zone", zone.replaceAll("_", " ")));
    this.show(value);
  }

  /** @param {unknown} value */
  show(value) {
    this.was = value;
    this.input.value = asText(this.field, value);
    this.shown = this.input.value;
    grow(this.input);
  }

  get isTouched() {
    return this.input.value !== this.shown;
  }

  /** What goes to the server; untouched fields go as they came. */
  get value() {
    if (!this.isTouched) return this.was;
    const text = this.input.value;
    if (this.field.kind === "people") return addresses(text);
    const before = this.field.kind === "time" ? readZoned(this.was) : null;
    return before ? zoned(text, before.zone)?.text ?? "" : text;
  }

  /** @param {string} words */
  complain(words) {
    this.problem.textContent = words;
    this.problem.hidden = !words;
    this.input.ariaInvalid = words ? "true" : null;
    if (words) this.input.setAttribute("aria-describedby", this.problem.id);
    else this.input.removeAttribute("aria-describedby");
  }
}

/** Everything that may be changed, one below the other. */
export class CardForm {
  /** @param {Question} question */
  constructor(question) {
    this.entries = question.editable.map((field) => new Entry(field, question.payload[field.name]));
    this.node = make("div", "fields", ...this.entries.map(({ node }) => node));
    this.node.addEventListener("input", ({ target }) => this.#typed(target));
    this.#keepLength();
  }

  /** What somebody else changed meanwhile shows, except where something was written here. @param {Question} question */
  rebase(question) {
    for (const entry of this.entries) {
      const next = question.payload[entry.field.name];
      if (entry.isTouched) entry.was = next;
      else entry.show(next);
    }
  }

  /** The fields that are to be different; null when something has to be put right first. */
  read() {
    for (const entry of this.entries) entry.complain(this.#problemOf(entry));
    const wrong = this.entries.find(({ problem }) => !problem.hidden);
    wrong?.input.focus();
    if (wrong) return null;
    const changed = this.entries.filter((one) => JSON.stringify(one.value) !== JSON.stringify(one.was));
    // A start without its end would be half a change.
    const isMoved = changed.some(({ field }) => field.kind === "time");
    const sent = this.entries.filter((one) => changed.includes(one) || (isMoved && one.field.kind === "time"));
    return Object.fromEntries(sent.map((one) => [one.field.name, one.value]));
  }

  /** @param {boolean} isLocked */
  lock(isLocked) {
    for (const { input } of this.entries) input.readOnly = isLocked;
  }

  focus() {
    for (const { input } of this.entries) grow(input);
    this.entries.at(-1)?.input.scrollIntoView({ block: "nearest" });
    this.entries[0]?.input.focus();
  }

  /** @param {string} name */
  #named(name) {
    return this.entries.find(({ field }) => field.name === name);
  }

  /** @param {EventTarget | null} target */
  #typed(target) {
    const entry = this.entries.find(({ input }) => input === target);
    entry?.complain("");
    if (entry) grow(entry.input);
  }

  /** Moving the start moves the end along. */
  #keepLength() {
    const [start, end] = [this.#named("start")?.input, this.#named("end")?.input];
    if (start?.type !== "datetime-local" || end?.type !== "datetime-local") return;
    let from = start.value;
    start.addEventListener("change", () => {
      const byMs = wallClock(start.value) - wallClock(from);
      if (Number.isNaN(byMs)) return;
      from = start.value;
      if (end.value) end.value = shiftLocal(end.value, byMs);
    });
  }

  /** @param {Entry} entry */
  #problemOf({ field, value, input }) {
    if (field.kind === "people") return problemOfPeople(field, /** @type {string[]} */ (value));
    if (field.kind === "time") {
      if (!input.value || !value) return "This needs a day and a time.";
      const [start, end] = [this.#named("start"), this.#named("end")].map((one) => readZoned(one?.value));
      return field.name === "end" && start && end && end.atMs <= start.atMs ? "It must end after it starts." : "";
    }
    const isNeeded = field.name === "body" || field.name === "title";
    return isNeeded && !input.value.trim() ? "This can’t be empty." : "";
  }
}

/** @param {Field} field @param {string[]} ones */
function problemOfPeople({ name }, ones) {
  const wrong = ones.find((one) => !LOOKS_LIKE_AN_ADDRESS.test(one));
  if (wrong) return `“${wrong}” is not an address.`;
  return name === "to" && !ones.length ? "It has to go to somebody." : "";
}

/** @param {Field} field @param {unknown} value @returns {Box} */
function makeBox({ kind }, value) {
  if (kind === "paragraphs") return Object.assign(make("textarea", ""), { rows: 3, dir: "auto" });
  const input = Object.assign(make("input", ""), { type: "text", dir: "auto", autocomplete: "off" });
  if (kind === "time" && readZoned(value)) input.type = "datetime-local";
  if (kind === "people") {
    Object.assign(input, { inputMode: "email", autocapitalize: "none", spellcheck: false, dir: "ltr" });
    input.placeholder = "Addresses, with commas between them";
  }
  return input;
}

/** @param {Field} field @param {unknown} value */
function asText({ kind }, value) {
  if (Array.isArray(value)) return value.join(", ");
  if (kind === "time") return readZoned(value)?.local ?? String(value ?? "");
  return String(value ?? "");
}

/** "Priya Nair <priya@example.com>" counts too. @param {string} text */
function addresses(text) {
  const ones = text.split(/[,;\n]/).map((one) => (/<([^>]*)>/.exec(one)?.[1] ?? one).trim());
  return ones.filter(Boolean);
}

/** @param {Box} box */
function grow(box) {
  if (!(box instanceof HTMLTextAreaElement) || CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
