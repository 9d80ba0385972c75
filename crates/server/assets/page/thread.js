// @ts-check
/**
 * What the conversation looks like: bubbles, tool lines, notices, and their order.
 * Nothing here knows of the link.
 *
 * @typedef {import("./wire.js").ToolNews} ToolNews
 * @typedef {import("./wire.js").ToolRequest} ToolRequest
 * @typedef {import("./wire.js").ToolResult} ToolResult
 */

import { make, makeButton, part } from "./parts.js";

const STICKY_PX = 64;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** One message of the thread. */
export class Bubble {
  /** Where its words stand; deltas grow this one node. */
  text = document.createTextNode("");
  /** Anything was streamed: it is being said now, not replayed. */
  streamed = false;
  #time = make("time", "");
  #note = make("span", "");
  #actions = make("span", "");
  /** @type {Set<string>} */
  #offers = new Set();

  /** @param {"user" | "assistant"} speaker @param {string} ts */
  constructor(speaker, ts) {
    this.speaker = speaker;
    this.words = make("div", "words", this.text);
    this.words.dir = "auto";
    this.article = make(
      "article",
      `message from-${speaker}`,
      this.words,
      make("div", "meta", this.#time, this.#note, this.#actions),
    );
    this.node = make("li", "", this.article);
    this.stamp(ts);
    if (speaker === "assistant") this.#copyButton();
  }

  /** @param {string} ts */
  stamp(ts) {
    const when = new Date(ts);
    if (Number.isNaN(when.getTime())) return;
    this.#time.dateTime = when.toISOString();
    this.#time.textContent = clock.format(when);
    this.article.ariaLabel = `${this.speaker === "user" ? "You" : "Sayso"}, ${clock.format(when)}`;
  }

  /** @param {string} words */
  grow(words) {
    this.streamed = true;
    this.article.ariaBusy = "true";
    this.text.appendData(words);
  }

  /** Everything that was heard so far. @param {string} words */
  hear(words) {
    this.streamed = true;
    this.article.ariaBusy = "true";
    this.text.data = words;
  }

  /** @param {string} [words] the whole text, where it is known */
  settle(words = this.text.data) {
    this.text.data = words;
    this.article.ariaBusy = "false";
    this.article.classList.remove("unsettled");
    this.note("");
  }

  get isOpen() {
    return this.article.ariaBusy === "true";
  }

  /**
   * A word beside the time, and at most one thing to do about it.
   * @param {string} words
   * @param {string} className
   * @param {HTMLElement[]} buttons
   */
  note(words, className = "", ...buttons) {
    this.#note.textContent = words;
    this.#note.className = className;
    if (this.speaker === "user") this.#actions.replaceChildren(...buttons);
  }

  /** One more thing to do with what was said. @param {string} label @param {() => void} act */
  offer(label, act) {
    if (this.#offers.has(label)) return;
    this.#offers.add(label);
    this.#actions.append(makeButton("text-button", label, act));
  }

  #copyButton() {
    const button = makeButton("text-button", "Copy", async () => {
      button.textContent = (await copyText(this.words)) ? "Copied" : "Couldn’t copy";
      setTimeout(() => (button.textContent = "Copy"), 1600);
    });
    this.#actions.append(button);
  }
}

/** Over plain HTTP on a local network there is no clipboard; selecting still works. @param {HTMLElement} source */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}

/** One quiet line for one tool call: what it is, how far, how long it took. */
export class ToolLine {
  /** @param {ToolRequest} request @param {string} ts */
  constructor(request, ts) {
    this.label = request.label || request.tool_name;
    this.isRunning = true;
    this.startedMs = Date.parse(ts);
    this.mark = make("span", "tool-mark");
    this.mark.ariaHidden = "true";
    this.note = make("span", "tool-note");
    this.verdict = make("span", "unseen", "running");
    const body = make("span", "", this.label, make("span", "badge", request.action_level ?? "read"), this.note, this.verdict);
    this.line = make("p", "tool", this.mark, body);
    this.line.dataset.status = "running";
    this.node = make("li", "", this.line);
  }

  /** @param {ToolNews} news */
  report({ message, progress }) {
    const share = progress && progress > 0 && progress < 1 ? `${Math.round(progress * 100)} %` : "";
    this.note.textContent = [message, share].filter(Boolean).join(" ");
  }

  /** @param {ToolResult} result @param {string} ts */
  finish({ ok, error }, ts) {
    const took = seconds(Date.parse(ts) - this.startedMs);
    const words = ok ? took : [error?.message ?? "It did not work.", took].filter(Boolean).join(" · ");
    this.#close(ok ? "done" : "failed", ok ? "✓" : "✕", words);
  }

  stop() {
    if (this.isRunning) this.#close("stopped", "–", "Stopped");
  }

  /** @param {string} status @param {string} mark @param {string} note */
  #close(status, mark, note) {
    this.isRunning = false;
    this.line.dataset.status = status;
    this.mark.textContent = mark;
    this.note.textContent = note;
    this.verdict.textContent = `, ${status}`;
  }
}

/** @param {number} ms */
function seconds(ms) {
  if (!Number.isFinite(ms) || ms < 0) return "";
  return ms < 1000 ? `${Math.round(ms)}\u00a0ms` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

/**
 * Something the person should know, standing where it happened.
 * @param {string} words
 * @param {HTMLElement[]} buttons
 */
export function notice(words, ...buttons) {
  return make("li", "", make("div", "notice", make("span", "", words), ...buttons));
}

/** The messages, and the place that each new thing takes among them. */
class Thread {
  #messages = part("messages", HTMLOListElement);
  #welcome = part("welcome", HTMLElement);
  #scroller = part("scroller", HTMLElement);
  #pill = part("pill", HTMLButtonElement);
  #isAtEnd = true;
  /** The height that was last scrolled to; what grew since is not scrolled past. */
  #knownHeight = 0;

  constructor() {
    this.#scroller.addEventListener("scroll", () => this.#look(), { passive: true });
    this.#pill.addEventListener("click", () => this.toEnd());
    const follow = new ResizeObserver(() => {
      if (this.#isAtEnd && !this.isEmpty) this.toEnd();
      this.#knownHeight = this.#scroller.scrollHeight;
    });
    follow.observe(this.#messages);
    follow.observe(this.#scroller);
  }

  get isEmpty() {
    return this.#messages.childElementCount === 0;
  }

  /**
   * At the end, yet above what is still waiting to be heard, unless a place is given.
   * @param {HTMLElement} node
   * @param {string | null} [turnId]
   * @param {Element | null} [next]
   */
  add(node, turnId, next = this.#messages.querySelector("[data-waiting]")) {
    this.#welcome.hidden = true;
    if (turnId) node.dataset.turn = turnId;
    if (next !== node) this.#messages.insertBefore(node, next);
  }

  /**
   * Before everything else of its turn: words heard late still come first.
   * @param {HTMLElement} node
   * @param {string | null} [turnId]
   */
  addFirst(node, turnId) {
    this.add(node, turnId, this.#ofTurn(turnId)[0]);
  }

  /** @param {string | null | undefined} turnId */
  hasNotice(turnId) {
    return this.#ofTurn(turnId).some((node) => node.querySelector(".notice"));
  }

  toEnd() {
    this.#isAtEnd = true;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#pill.hidden = true;
  }

  /** There is something new below the fold. */
  hint() {
    this.#pill.hidden = this.#isAtEnd;
  }

  /** @param {string | null | undefined} turnId @returns {HTMLElement[]} */
  #ofTurn(turnId) {
    return turnId ? Array.from(this.#messages.querySelectorAll(`li[data-turn="${CSS.escape(turnId)}"]`)) : [];
  }

  #look() {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
    const height = Math.min(scrollHeight, this.#knownHeight);
    this.#isAtEnd = height - scrollTop - clientHeight <= STICKY_PX;
    if (this.#isAtEnd) this.#pill.hidden = true;
  }
}

export const thread = new Thread();
