// @ts-check
/**
 * One card: a write that waits for a yes, and afterwards the receipt of it.
 *
 * A yes counts only for what has been on the screen for a moment, goes out once,
 * and is never kept for later.
 *
 * @typedef {import("./receipt.js").Receipt} Receipt
 * @typedef {import("./wire.js").Decision} Decision
 * @typedef {import("./wire.js").Failure} Failure
 * @typedef {import("./wire.js").Question} Question
 * @typedef {"click" | "key"} Channel
 */

import { composer } from "./composer.js";
import { CardForm } from "./form.js";
import { link } from "./link.js";
import { announce, announceNow, make, makeButton } from "./parts.js";
import { drawPreview, gist, iconOf } from "./preview.js";
import { verbsOf } from "./receipt.js";
import { newEventId, personWords } from "./wire.js";

const ARM_AFTER_MS = 400;
/** A card that comes in the place of one that was just answered waits longer: a second click is not for it. */
const ARM_NEXT_AFTER_MS = 1200;
const JUST_ANSWERED_MS = 4000;
let answeredAt = -Infinity;
const ANSWER_WITHIN_MS = 20_000;
const EXTEND_EVERY_MS = 120_000;
const COUNT_DOWN_MS = 60_000;

/** Failures after which this card cannot be answered any more. */
const TOO_LATE = ["confirmation_resolved", "confirmation_expired", "unknown_confirmation"];

const MARKS = { busy: "", done: "✓", not: "–", bad: "✕", unsure: "?" };

export class Card {
  isOpen = true;
  /** The last words heard about it were written in this window. */
  isTalkedToHere = false;
  /** The call that carries it out, once there is one. */
  callId = "";
  /** @type {Receipt | null} */
  receipt = null;
  /** How it was answered. */
  answer = "";

  /** On its way, and not to be sent twice. @type {{ eventId: string, decision: Decision } | null} */
  #pending = null;
  /** What was last answered from here. @type {Decision | null} */
  #said = null;
  /** @type {CardForm | null} */
  #form = null;
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  #isArmed = false;
  /** The revision that was read out last. */
  #announced = 0;
  #wasWarned = false;
  #extendedAt = performance.now();
  #extendId = "";
  #armTimer = 0;
  #answerTimer = 0;
  #main = make("div", "card-main");
  #problem = make("p", "card-problem");
  #reason = make("p", "card-reason");
  #left = make("span", "");
  #clock = make("p", "card-clock", this.#left, makeButton("text-button", "Keep open", () => this.#extend(true)));

  /** @param {Question} question @param {string | null | undefined} turnId */
  constructor(question, turnId) {
    this.question = question;
    this.turnId = turnId ?? "";
    this.box = make("section", "card");
    this.box.role = "group";
    this.box.tabIndex = -1;
    this.node = make("li", "", this.box);
    this.#problem.role = "alert";
    this.#reason.id = `${this.id}-reason`;
    for (const type of ["pointermove", "pointerdown", "wheel", "input", "focusin"]) {
      this.box.addEventListener(type, () => this.#extend(), { passive: true });
    }
    this.box.addEventListener("keydown", (event) => this.#pressed(event));
    this.#draw();
  }

  get id() {
    return this.question.confirmation_request_id;
  }

  /** The same question changed, or only given more time. @param {Question} question */
  update(question) {
    if (!this.isOpen || question.revision < this.question.revision) return;
    const isNew = question.revision > this.question.revision;
    this.question = { ...question, changed: isNew ? question.changed : this.question.changed };
    this.#wasWarned = false;
    if (!isNew) return this.refresh();
    const isOurEdit = this.#pending?.decision === "edit";
    if (isOurEdit) this.#settlePending();
    if (this.#form && !isOurEdit) {
      this.#form.rebase(question);
      this.#complain("It was changed elsewhere meanwhile. Check the fields before you go on.");
      return this.#arm();
    }
    this.#form = null;
    this.#draw();
    if (isOurEdit) this.#complain("Please check it once more: something besides your change is different.");
  }

  /** It is decided; from now on this is its receipt. @param {Receipt} receipt */
  close(receipt) {
    this.receipt = receipt;
    this.#settlePending();
    clearTimeout(this.#armTimer);
    const hadFocus = this.box.contains(document.activeElement);
    const isDecidedNow = this.isOpen && matchMedia("(pointer: fine)").matches;
    this.isOpen = false;
    this.#form = null;
    this.#drawReceipt(receipt);
    if (hadFocus) (isDecidedNow ? composer.words : this.box).focus({ preventScroll: true });
  }

  /** Was it this window that decided so? @param {Decision} decision @param {string} channel */
  isAnsweredHere(decision, channel) {
    return channel === "text" || channel === "voice" ? this.isTalkedToHere : this.#said === decision;
  }

  /** The server did not take our answer. False when the failure is about something else. @param {Failure} failure */
  refuse(failure) {
    // Too late to be kept open: the news of what closed it says enough.
    if (failure.in_reply_to && failure.in_reply_to === this.#extendId) return true;
    if (!this.#pending || this.#pending.eventId !== failure.in_reply_to) return false;
    this.#said = null;
    this.#settlePending();
    const words = personWords(failure);
    if (TOO_LATE.includes(failure.code)) this.close({ tone: "not", words: "No longer open", note: words });
    else this.#complain(failure.code === "bad_edit" && this.#form ? `${words} (${failure.message})` : words);
    this.refresh();
    return true;
  }

  /** The link is back and the card is still open: our answer was lost on the way. */
  backLive() {
    if (this.#pending) this.#complain("Your answer did not arrive. Please give it again.");
    this.#settlePending();
  }

  focus() {
    this.box.scrollIntoView({ block: "nearest" });
    this.box.focus({ preventScroll: true });
  }

  /** What can be done right now, and why not. */
  refresh() {
    if (!this.isOpen) return;
    const leftMs = Date.parse(this.question.expires_at) - link.serverNow;
    this.#countDown(leftMs);
    const reason = this.#reasonNot(leftMs);
    this.#reason.textContent = reason;
    this.#reason.hidden = !reason;
    this.box.classList.toggle("is-armed", this.#isArmed && !reason);
    for (const button of this.#buttons) {
      const isDead = Boolean(reason) || Boolean(this.#pending) || !this.#isArmed;
      button.ariaDisabled = isDead && button.dataset.does !== "back" ? "true" : null;
      const label = this.#label(button);
      if (button.textContent !== label) button.textContent = label;
    }
    this.#form?.lock(Boolean(this.#pending));
  }

  /** @param {HTMLButtonElement} button */
  #label({ dataset: { does, label = "" } }) {
    if (!this.#pending || does !== (this.#pending.decision === "reject" ? "reject" : "accept")) return label;
    return does === "reject" ? "Putting it aside…" : verbsOf(this.question).doing;
  }

  /** @param {number} leftMs */
  #reasonNot(leftMs) {
    if (link.state !== "live") return "Offline. You can answer when the connection is back.";
    return leftMs <= 0 ? "Time is up." : "";
  }

  /** @param {number} leftMs */
  #countDown(leftMs) {
    const isNear = leftMs > 0 && leftMs <= COUNT_DOWN_MS && link.state === "live";
    this.#clock.hidden = !isNear;
    this.#left.textContent = `Closes in ${Math.ceil(leftMs / 1000)} s`;
    if (!isNear || this.#wasWarned) return;
    this.#wasWarned = true;
    announce("The card closes in a minute. You can keep it open.");
  }

  #draw() {
    const { title, step, warnings, preview } = this.question;
    const heading = make("h2", "card-title", title);
    heading.id = `${this.id}-title`;
    this.box.className = "card";
    this.box.setAttribute("aria-labelledby", heading.id);
    const place = step.total > 1 ? [make("span", "card-step", `Step ${step.index} of ${step.total}`)] : [];
    const mark = make("span", "card-mark", iconOf(this.question));
    const conflicts = preview.kind === "event" && preview.conflicts?.length;
    const shown = warnings.filter(({ code }) => !(conflicts && code === "time_taken"));
    const hadFocus = this.box.contains(document.activeElement);
    this.#complain("");
    this.#main.replaceChildren(drawPreview(this.question));
    this.box.replaceChildren(
      make("header", "card-head", mark, heading, ...place),
      this.#main,
      ...shown.map(({ text }) => warning(text)),
      this.#problem,
      this.#actions(),
      this.#reason,
      this.#clock,
      this.#hint(),
    );
    if (hadFocus) this.box.focus({ preventScroll: true });
    this.#arm();
  }

  #actions() {
    const verbs = verbsOf(this.question);
    const may = this.question.allowed_decisions;
    this.#buttons = [
      this.#button("accept", verbs.accept, (channel) => this.#send("accept", channel)),
      ...(may.includes("edit") ? [this.#button("edit", "Edit", () => this.#edit())] : []),
      this.#button("reject", verbs.reject, (channel) => this.#send("reject", channel)),
    ];
    return make("div", "card-actions", ...this.#buttons);
  }

  /** @param {string} does @param {string} label @param {(channel: Channel) => void} act */
  #button(does, label, act) {
    const button = make("button", `card-button does-${does}`, label);
    button.type = "button";
    button.dataset.does = does;
    button.dataset.label = label;
    button.setAttribute("aria-describedby", this.#reason.id);
    button.addEventListener("click", ({ detail }) => this.#can(does) && act(detail ? "click" : "key"));
    return button;
  }

  /** @param {string} does */
  #can(does) {
    this.refresh();
    if (does === "back") return !this.#pending;
    return this.isOpen && this.#isArmed && !this.#pending && this.#reason.hidden;
  }

  #hint() {
    const words = this.question.voice === "readback"
      ? "A typed yes has to name who it goes to."
      : "Or say or type your answer.";
    const keys = make("span", "card-keys", make("kbd", "", "y"), " yes ", make("kbd", "", "e"), " edit ", make("kbd", "", "n"), " no");
    keys.ariaHidden = "true";
    return make("p", "card-hint", make("span", "", words), keys);
  }

  /** Nobody means what appeared under their finger just now. */
  #arm() {
    this.#isArmed = false;
    clearTimeout(this.#armTimer);
    this.refresh();
    requestAnimationFrame(() => {
      clearTimeout(this.#armTimer);
      this.#armTimer = setTimeout(() => {
        this.#isArmed = true;
        this.refresh();
        this.#announceOnce();
      }, performance.now() - answeredAt < JUST_ANSWERED_MS ? ARM_NEXT_AFTER_MS : ARM_AFTER_MS);
    });
  }

  #announceOnce() {
    if (this.#announced === this.question.revision || !this.isOpen) return;
    this.#announced = this.question.revision;
    const choices = this.#buttons.map(({ dataset }) => dataset.label).join(", ");
    const warnings = this.question.warnings.map(({ text }) => `Warning: ${text}.`);
    announceNow([this.question.title, `${gist(this.question)}.`, ...warnings, `Choices: ${choices}. Alt C goes to the card.`].join(" "));
  }

  #edit() {
    this.#form = new CardForm(this.question);
    const verbs = verbsOf(this.question);
    this.#buttons = [
      this.#button("accept", verbs.save, (channel) => this.#save(channel)),
      this.#button("back", "Back", () => this.#back()),
    ];
    this.#complain("");
    this.#main.replaceChildren(this.#form.node);
    this.box.classList.add("is-editing");
    this.box.querySelector(".card-actions")?.replaceChildren(...this.#buttons);
    this.#form.focus();
    this.#extend();
    this.#arm();
  }

  #back() {
    this.#form = null;
    this.#draw();
  }

  /** @param {Channel} channel */
  #save(channel) {
    this.#complain("");
    const changes = this.#form?.read();
    if (!changes) return;
    if (Object.keys(changes).length) this.#send("edit", channel, changes);
    else this.#send("accept", channel);
  }

  /**
   * @param {Decision} decision
   * @param {Channel} channel
   * @param {Record<string, unknown>} [edited_payload]
   */
  #send(decision, channel, edited_payload) {
    const eventId = newEventId();
    const { revision } = this.question;
    const answer = { confirmation_request_id: this.id, revision, decision, channel, edited_payload };
    if (!link.send(eventId, "confirm.response", answer)) return this.refresh();
    this.#pending = { eventId, decision };
    answeredAt = performance.now();
    this.#said = decision;
    this.#complain("");
    this.#answerTimer = setTimeout(() => {
      this.#settlePending();
      this.#complain("No word from the server yet. You can answer again; it will not be done twice.");
    }, ANSWER_WITHIN_MS);
    this.refresh();
  }

  #settlePending() {
    clearTimeout(this.#answerTimer);
    this.#pending = null;
    this.refresh();
  }

  /** Somebody reads or writes here: it should not close under their eyes. @param {boolean} [isAsked] */
  #extend(isAsked = false) {
    const now = performance.now();
    if (!this.isOpen || (!isAsked && now - this.#extendedAt < EXTEND_EVERY_MS)) return;
    this.#extendId = newEventId();
    if (link.send(this.#extendId, "confirm.extend", { confirmation_request_id: this.id })) this.#extendedAt = now;
  }

  /** @param {string} words */
  #complain(words) {
    this.#problem.textContent = words;
    this.#problem.hidden = !words;
  }

  /** Keys of the card, while it has the focus. @param {KeyboardEvent} event */
  #pressed(event) {
    if (!this.isOpen || event.isComposing || event.repeat) return;
    const act = this.#meaning(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  #meaning({ key, ctrlKey, metaKey, altKey, target }) {
    const isAccept = key === "Enter" && (ctrlKey || metaKey);
    if (isAccept) return () => this.#can("accept") && (this.#form ? this.#save("key") : this.#send("accept", "key"));
    if (this.#form) return key === "Escape" ? () => this.#can("back") && this.#back() : undefined;
    if (ctrlKey || metaKey || altKey || target instanceof HTMLInputElement) return undefined;
    const letter = key.toLowerCase();
    if (letter === "y") return () => this.#can("accept") && this.#send("accept", "key");
    if (letter === "n") return () => this.#can("reject") && this.#send("reject", "key");
    const mayEdit = this.question.allowed_decisions.includes("edit");
    if (letter === "e" && mayEdit) return () => this.#can("edit") && this.#edit();
    return undefined;
  }

  /** @param {Receipt} receipt */
  #drawReceipt({ tone, words, note }) {
    const mark = make("span", "receipt-mark", MARKS[tone]);
    mark.ariaHidden = "true";
    const title = make("p", "receipt-title", words);
    title.id = `${this.id}-title`;
    const notes = [note, this.answer].filter((one) => one && one !== words).join(" · ");
    const wasOpen = this.box.querySelector("details")?.open ?? false;
    const more = make("details", "receipt-more", make("summary", "", "Details"), drawPreview({ ...this.question, changed: [] }));
    more.open = wasOpen;
    this.box.className = "card is-receipt";
    this.box.dataset.tone = tone;
    this.box.replaceChildren(mark, make("div", "receipt-words", title, make("p", "receipt-gist", gist(this.question)), make("p", "receipt-note", notes), more));
  }
}

/** @param {string} text */
function warning(text) {
  const glyph = make("span", "warning-mark", "⚠");
  glyph.ariaHidden = "true";
  const box = make("p", "warning", glyph, make("span", "", make("span", "unseen", "Warning: "), text));
  box.role = "note";
  return box;
}
