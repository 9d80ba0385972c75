// @ts-check
/** The box to write in. */

import { part } from "./parts.js";

export const composer = {
  form: part("composer", HTMLFormElement),
  words: part("words", HTMLTextAreaElement),
  send: part("send", HTMLButtonElement),

  changed() {
    this.send.disabled = !this.words.value.trim();
    if (CSS.supports("field-sizing", "content")) return;
    this.words.style.height = "auto";
    this.words.style.height = `${this.words.scrollHeight}px`;
  },

  /** What the empty box says. @param {string} words */
  invite(words) {
    this.words.placeholder = words;
  },

  /** @param {string} words */
  fill(words) {
    this.words.value = words;
    this.changed();
    this.words.focus();
  },
};
