// @ts-check
/**
 * The typed chat: one socket, one thread, one box to write in.
 *
 * `Link` talks to the server and knows nothing of chat. `Bubble`, `ToolLine`
 * and `notice` draw and know nothing of sockets. The table `on` says what each
 * event does to the screen. Words from the wire enter the page as text only.
 *
 * @typedef {"connecting" | "live" | "reconnecting" | "offline"} LinkState
 * @typedef {"calm" | "busy" | "asking" | "bad"} Tone
 *
 * @typedef {{ text: string }} Words
 * @typedef {{ call_id: string, tool_name: string, label?: string, action_level?: string }} ToolRequest
 * @typedef {{ call_id: string, message?: string, progress?: number }} ToolNews
 * @typedef {{ call_id: string, ok: boolean, error?: { message: string } | null }} ToolResult
 * @typedef {{ code: string, message: string, user_message?: string, retryable?: boolean, in_reply_to?: string | null }} Failure
 *
 * @typedef {{
 *   "turn.start": { input_mode: string },
 *   "state.change": { from: string, to: string, reason: string },
 *   "turn.end": { outcome: string, error_code?: string | null },
 *   "turn.cancelled": { cancel_turn_id: string },
 *   "input_transcript.delta": Words,
 *   "input_transcript.final": Words,
 *   "assistant_text.delta": Words,
 *   "assistant_text.final": Words,
 *   "tool_call.request": ToolRequest,
 *   "tool_call.queued": ToolNews,
 *   "tool_call.progress": ToolNews,
 *   "tool_call.result": ToolResult,
 *   "error": Failure,
 * }} Payloads
 *
 * @typedef {{
 *   event_id: string, event_type: string, ts: string, session_id: string, epoch: number,
 *   turn_id?: string | null, message_id?: string | null, seq?: number | null,
 *   payload: Payloads[keyof Payloads],
 * }} Envelope
 */

const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000];
const RETRY_JITTER = 0.2;
const PING_EVERY_MS = 20_000;
const ANSWER_WITHIN_MS = 10_000;
const BANNER_AFTER_MS = 1500;
const OFFLINE_AFTER_MS = 10_000;
const SLOW_TURN_MS = 10_000;
const DOUBT_AFTER_MS = 3000;
const STICKY_PX = 64;
const UNKNOWN_SESSION = 4404;
const SESSION_KEY = "sayso.session_id";

/** @type {Record<LinkState, string>} */
const LINK_WORDS = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
};

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

/** How a turn that did not simply succeed is told. @type {Record<string, string>} */
const OUTCOME_WORDS = {
  partial: "Only part of this worked.",
  failed: "I couldn’t finish this.",
  unknown: "I can’t tell yet whether this worked.",
};

/** Endings that the answer itself has told already. */
const TOLD_BY_THE_ANSWER = ["needs_answer", "not_understood", "not_possible"];

// ---------------------------------------------------------------- the link

/** The session this tab talks in. Storage may be forbidden; then a reload starts anew. */
const remembered = {
  read() {
    try {
      return sessionStorage.getItem(SESSION_KEY) ?? "";
    } catch {
      return "";
    }
  },
  /** @param {string} id */
  write(id) {
    try {
      sessionStorage.setItem(SESSION_KEY, id);
    } catch {
      // Nothing to do: the link keeps it for as long as the page is open.
    }
  },
};

/** @typedef {{
 *   changed(state: LinkState): void,
 *   heard(envelope: Envelope): void,
 *   forgotten(): void,
 * }} Listener */

/** One connection to the server at a time, and the patience to get it back. */
class Link {
  /** @type {LinkState} */
  state = "connecting";
  /** Why the server turned us away, in words for a person. */
  refusal = "";
  roundTripMs = 0;

  /** @type {WebSocket | null} */
  #socket = null;
  #sessionId = remembered.read();
  #lastSeq = 0;
  #wasLive = false;
  #failures = 0;
  #pingedAt = 0;
  #retryTimer = 0;
  #answerTimer = 0;
  #offlineTimer = 0;
  #pingTimer = 0;
  #listener;

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  open() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    this.#offlineTimer ||= setTimeout(() => this.#become("offline"), OFFLINE_AFTER_MS);

    const socket = new WebSocket(this.#address());
    this.#socket = socket;
    this.#expectAnswer();
    socket.onopen = () => this.ping();
    socket.onmessage = ({ data }) => this.#socket === socket && this.#receive(data);
    socket.onclose = ({ code }) => this.#socket === socket && this.#lost(code);
  }

  /** Does not wait for the back-off to pass. */
  retryNow() {
    if (!this.#retryTimer) return;
    clearTimeout(this.#offlineTimer);
    this.#offlineTimer = 0;
    this.#failures = 0;
    this.#become(this.#trying);
    this.open();
  }

  ping() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#pingedAt = performance.now();
    this.#expectAnswer();
    this.#write(newEventId(), "session.ping", { client_ts: new Date().toISOString() });
  }

  /**
   * True when the frame was handed to a live connection.
   * @param {string} eventId
   * @param {string} eventType
   * @param {object} payload
   */
  send(eventId, eventType, payload) {
    if (this.state !== "live") return false;
    this.#write(eventId, eventType, payload);
    return true;
  }

  /**
   * @param {string} eventId
   * @param {string} eventType
   * @param {object} payload
   */
  #write(eventId, eventType, payload) {
    this.#socket?.send(JSON.stringify({ event_id: eventId, event_type: eventType, payload }));
  }

  #address() {
    const address = new URL("/chat/stream", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.#sessionId) {
      address.searchParams.set("session_id", this.#sessionId);
      address.searchParams.set("last_seq", String(this.#lastSeq));
    }
    return address;
  }

  /** A connection that says nothing for too long is given up, so no wait is endless. */
  #expectAnswer() {
    clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(() => this.#lost(0), ANSWER_WITHIN_MS);
  }

  /** @param {unknown} data */
  #receive(data) {
    const envelope = parse(data);
    if (!envelope) return;
    clearTimeout(this.#answerTimer);
    // The pong opens the conversation: until then the server may still turn us away.
    if (envelope.event_type === "session.pong") this.#ponged();
    if (!this.#isRefusal(envelope) && this.#isNew(envelope)) this.#listener.heard(envelope);
  }

  #ponged() {
    this.roundTripMs = Math.max(1, Math.round(performance.now() - this.#pingedAt));
    clearTimeout(this.#offlineTimer);
    this.#offlineTimer = 0;
    this.#failures = 0;
    this.#wasLive = true;
    this.refusal = "";
    if (this.state !== "live") this.#pingTimer = setInterval(() => this.ping(), PING_EVERY_MS);
    this.#become("live");
  }

  /** @param {Envelope} envelope */
  #isRefusal(envelope) {
    if (this.state === "live" || envelope.event_type !== "error" || envelope.seq != null) return false;
    this.refusal = personWords(/** @type {Failure} */ (envelope.payload));
    return true;
  }

  /**
   * Replayed events were seen already. What has no `seq` is said to this connection only.
   * @param {Envelope} envelope
   */
  #isNew({ session_id, seq }) {
    if (session_id && session_id !== this.#sessionId) {
      this.#sessionId = session_id;
      this.#lastSeq = 0;
      remembered.write(session_id);
    }
    if (seq == null) return true;
    if (seq <= this.#lastSeq) return false;
    this.#lastSeq = seq;
    return true;
  }

  /** @param {number} code */
  #lost(code) {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    clearTimeout(this.#answerTimer);
    clearInterval(this.#pingTimer);
    if (code === UNKNOWN_SESSION && this.#sessionId) this.#startAnew();
    else this.#waitAndRetry();
  }

  #startAnew() {
    this.#sessionId = "";
    this.#lastSeq = 0;
    this.refusal = "";
    remembered.write("");
    this.#listener.forgotten();
    this.open();
  }

  #waitAndRetry() {
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)];
    const jitter = 1 + RETRY_JITTER * (2 * Math.random() - 1);
    this.#failures += 1;
    this.#retryTimer = setTimeout(() => this.open(), delay * jitter);
    this.#offlineTimer ||= setTimeout(() => this.#become("offline"), OFFLINE_AFTER_MS);
    if (this.state !== "offline") this.#become(this.#trying);
  }

  /** @returns {LinkState} */
  get #trying() {
    return this.#wasLive ? "reconnecting" : "connecting";
  }

  /** @param {LinkState} state */
  #become(state) {
    this.state = state;
    this.#listener.changed(state);
  }
}

/** What is not an envelope is not ours to judge: it is left alone. @param {unknown} data */
function parse(data) {
  if (typeof data !== "string") return null;
  try {
    const value = JSON.parse(data);
    const isEnvelope = typeof value?.event_type === "string" && typeof value.payload === "object";
    return isEnvelope && value.payload ? /** @type {Envelope} */ (value) : null;
  } catch {
    return null;
  }
}

function newEventId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `evt_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {Failure} failure */
function personWords(failure) {
  return failure.user_message || failure.message || "Something went wrong.";
}

// ------------------------------------------------------------ what is drawn

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function part(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} called ${id}`);
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
function make(tag, className, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

/** @param {string} className @param {string} label @param {() => void} onClick */
function makeButton(className, label, onClick) {
  const button = make("button", className, label);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** One message of the thread. */
class Bubble {
  /** Where its words stand; deltas grow this one node. */
  text = document.createTextNode("");
  /** Anything was streamed: it is being said now, not replayed. */
  streamed = false;
  #time = make("time", "");
  #note = make("span", "");
  #actions = make("span", "");

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
class ToolLine {
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
function notice(words, ...buttons) {
  return make("li", "", make("div", "notice", make("span", "", words), ...buttons));
}

/** The messages, and the place that each new thing takes among them. */
class Thread {
  #messages = part("messages", HTMLOListElement);
  #welcome = part("welcome", HTMLElement);
  #scroller = part("scroller", HTMLElement);
  #pill = part("pill", HTMLButtonElement);
  #isAtEnd = true;

  constructor() {
    this.#scroller.addEventListener("scroll", () => this.#look(), { passive: true });
    this.#pill.addEventListener("click", () => this.toEnd());
    const follow = new ResizeObserver(() => this.#isAtEnd && !this.isEmpty && this.toEnd());
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
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight <= STICKY_PX;
    if (this.#isAtEnd) this.#pill.hidden = true;
  }
}

const announcer = part("announcer", HTMLElement);

/** Read out by a screen reader once, when it next pauses. @param {string} words */
function announce(words) {
  announcer.append(make("p", "", words));
  while (announcer.childElementCount > 3) announcer.firstElementChild?.remove();
}

// ---------------------------------------------------------- the conversation

/** @typedef {{ bubble: Bubble, text: string, eventId: string, isSent: boolean }} Waiting */

const thread = new Thread();

/** @type {Map<string, Bubble>} */
const bubbles = new Map();
/** @type {Map<string, ToolLine>} */
const tools = new Map();
/** What was written here and has not been heard there, oldest first. @type {Waiting[]} */
let waiting = [];
/** @type {{ id: string, state: string, words: string, heardAt: number } | null} */
let turn = null;
/** @type {Set<string>} */
const endedTurns = new Set();
let interruptId = "";
/** Until something is said here, what arrives is history and is not read out. */
let hasSpoken = false;

/** What each event does. An event that is not in here is not for this page. @type {{
 *   [K in keyof Payloads]: (payload: Payloads[K], envelope: Envelope) => void
 * }} */
const on = {
  "turn.start": ({ input_mode }, { turn_id }) =>
    enterTurn(turn_id, input_mode === "voice" ? "listening" : "finalizing_input"),
  "state.change": ({ to }, { turn_id }) => {
    if (to === "idle") leaveTurn(turn_id);
    else enterTurn(turn_id, to);
  },
  "turn.end": ({ outcome, error_code }, { turn_id }) => {
    closeTurn(turn_id);
    if (TOLD_BY_THE_ANSWER.includes(error_code ?? "")) return;
    if (OUTCOME_WORDS[outcome] && !thread.hasNotice(turn_id)) tell(OUTCOME_WORDS[outcome], turn_id);
  },
  "turn.cancelled": ({ cancel_turn_id }) => {
    closeTurn(cancel_turn_id, "Stopped");
    flashStatus("cancelled");
  },

  "input_transcript.delta": ({ text }, envelope) => userBubble(envelope).grow(text),
  "input_transcript.final": ({ text }, envelope) => hear(text, envelope),
  "assistant_text.delta": ({ text }, envelope) => {
    enterTurn(envelope.turn_id);
    assistantBubble(envelope).grow(text);
    thread.hint();
  },
  "assistant_text.final": ({ text }, envelope) => finishReply(text, envelope),

  "tool_call.request": (request, envelope) => startTool(request, envelope),
  "tool_call.queued": (news) => reportTool(news),
  "tool_call.progress": (news) => reportTool(news),
  "tool_call.result": (result, { ts }) => tools.get(result.call_id)?.finish(result, ts),

  "error": (failure, { turn_id }) => fail(failure, turn_id),
};

/** @param {Envelope} envelope */
function apply(envelope) {
  const { event_type } = envelope;
  if (!Object.hasOwn(on, event_type)) return;
  if (turn && turn.id === envelope.turn_id) turn.heardAt = performance.now();
  const handle = on[/** @type {keyof Payloads} */ (event_type)];
  handle(/** @type {never} */ (envelope.payload), envelope);
}

/** @param {string | null | undefined} id @param {string} [state] unchanged when left out */
function enterTurn(id, state) {
  if (!id || endedTurns.has(id)) return;
  if (turn?.id !== id) turn = { id, state: "thinking", words: "", heardAt: performance.now() };
  if (state && state !== turn.state) Object.assign(turn, { state, words: "" });
  showStatus();
}

/** @param {string | null | undefined} id */
function leaveTurn(id) {
  if (!turn || (id && turn.id !== id)) return;
  turn = null;
  showStatus();
}

/**
 * Nothing of this turn moves any more.
 * @param {string | null | undefined} id
 * @param {string} note what became of an open reply
 */
function closeTurn(id, note = "") {
  if (id) endedTurns.add(id);
  for (const bubble of bubbles.values()) {
    if (!bubble.isOpen || bubble.node.dataset.turn !== id) continue;
    bubble.settle();
    bubble.note(note);
  }
  for (const tool of tools.values()) if (tool.node.dataset.turn === id) tool.stop();
  leaveTurn(id);
}

/** @param {Envelope} envelope */
function userBubble({ message_id, turn_id, ts }) {
  const known = message_id && bubbles.get(message_id);
  if (known) return known;
  const bubble = new Bubble("user", ts);
  if (message_id) bubbles.set(message_id, bubble);
  thread.addFirst(bubble.node, turn_id);
  return bubble;
}

/** @param {Envelope} envelope */
function assistantBubble({ message_id, turn_id, ts }) {
  const key = message_id || `reply of ${turn_id}`;
  const known = bubbles.get(key);
  if (known) return known;
  const bubble = new Bubble("assistant", ts);
  bubbles.set(key, bubble);
  thread.add(bubble.node, turn_id);
  return bubble;
}

/** The server has heard words: ours, or those of another window. @param {string} text @param {Envelope} envelope */
function hear(text, envelope) {
  const isKnown = bubbles.has(envelope.message_id ?? "");
  const ours = isKnown ? undefined : takeWaiting(text);
  if (ours) adopt(ours.bubble, envelope);
  const bubble = ours?.bubble ?? userBubble(envelope);
  bubble.settle(text);
  bubble.stamp(envelope.ts);
}

/** @param {string} text */
function takeWaiting(text) {
  const sent = waiting.filter((one) => one.isSent);
  const ours = sent.find((one) => one.text === text.trim()) ?? sent[0];
  waiting = waiting.filter((one) => one !== ours);
  return ours;
}

/** @param {Bubble} bubble @param {Envelope} envelope */
function adopt(bubble, { message_id, turn_id }) {
  delete bubble.node.dataset.waiting;
  if (message_id) bubbles.set(message_id, bubble);
  thread.addFirst(bubble.node, turn_id);
}

/** @param {string} text @param {Envelope} envelope */
function finishReply(text, envelope) {
  const bubble = assistantBubble(envelope);
  if (!text.trim()) return bubble.node.remove();
  bubble.settle(text);
  bubble.stamp(envelope.ts);
  if (bubble.streamed || hasSpoken) announce(`Sayso: ${text}`);
  thread.hint();
}

/** @param {ToolRequest} request @param {Envelope} envelope */
function startTool(request, { turn_id, ts }) {
  const tool = new ToolLine(request, ts);
  tools.set(request.call_id, tool);
  enterTurn(turn_id, "executing_tools");
  if (turn) turn.words = tool.label;
  // A reply that has begun ends below the look-ups that feed it.
  const open = [...bubbles.values()].find((one) => one.isOpen && one.node.dataset.turn === turn_id);
  thread.add(tool.node, turn_id, open?.node);
  showStatus();
}

/** @param {ToolNews} news */
function reportTool(news) {
  tools.get(news.call_id)?.report(news);
  if (turn && news.message) turn.words = news.message;
  showStatus();
}

/** @param {Failure} failure @param {string | null | undefined} turnId */
function fail(failure, turnId) {
  const refused = waiting.find((one) => one.eventId === failure.in_reply_to);
  if (refused) return refuse(refused, failure);
  const isLateStop = failure.in_reply_to && failure.in_reply_to === interruptId && !turn;
  if (!isLateStop) tell(personWords(failure), turnId, ...(failure.retryable ? askAgain(turnId) : []));
}

/** A button that says the words of a turn once more, if we know them. @param {string | null | undefined} turnId */
function askAgain(turnId) {
  const asked = [...bubbles.values()].find((one) => one.speaker === "user" && one.node.dataset.turn === turnId);
  return asked && turnId ? [makeButton("quiet-button", "Try again", () => say(asked.text.data))] : [];
}

/**
 * The server did not take these words: say why beside them, and keep them.
 * @param {Waiting} one
 * @param {Failure} failure
 */
function refuse(one, failure) {
  const words = personWords(failure);
  const button = failure.retryable
    ? makeButton("text-button", "Send again", () => sendAgain(one))
    : makeButton("text-button", "Edit", () => editAgain(one));
  waiting = waiting.filter((other) => other !== one);
  delete one.bubble.node.dataset.waiting;
  one.bubble.note(words, "problem", button);
  announce(words);
}

/** @param {string} words @param {string | null} [turnId] @param {HTMLElement[]} buttons */
function tell(words, turnId, ...buttons) {
  thread.add(notice(words, ...buttons), turnId);
  announce(words);
  thread.hint();
}

// ----------------------------------------------------------------- speaking

const link = new Link({ changed: linkChanged, heard: apply, forgotten: sessionForgotten });

/** @param {string} words */
function say(words) {
  const text = words.trim();
  if (!text) return;
  hasSpoken = true;
  const bubble = new Bubble("user", new Date().toISOString());
  bubble.text.data = text;
  enqueue({ bubble, text, eventId: newEventId(), isSent: false });
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
function flush() {
  for (const one of waiting) {
    if (one.isSent) continue;
    one.isSent = link.send(one.eventId, "text.input", { text: one.text, source: "keyboard", attachments: [] });
    if (one.isSent) one.bubble.note(turn ? "Next in line" : "Sending…", "late");
    else one.bubble.note("Will be sent when you’re back");
  }
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
  composer.words.value = one.text;
  composer.changed();
  composer.words.focus();
}

function interrupt() {
  if (!turn) return;
  interruptId = newEventId();
  const isSent = link.send(interruptId, "user.interrupt", { reason: "barge_in", cancel_turn_id: turn.id });
  if (isSent) turn.words = "Stopping";
  showStatus();
}

// ------------------------------------------------------- status and the link

const linkPart = part("link", HTMLElement);
const linkWords = part("link-words", HTMLElement);
const banner = part("banner", HTMLElement);
const bannerWords = part("banner-words", HTMLElement);
const statePart = part("state", HTMLElement);
const stateWords = part("state-words", HTMLElement);
const stopButton = part("stop", HTMLButtonElement);

let bannerTimer = 0;
let slowTimer = 0;
let flashTimer = 0;

/** @param {LinkState} state */
function linkChanged(state) {
  const wasLive = linkPart.dataset.link === "live";
  linkPart.dataset.link = state;
  linkWords.textContent = state === "live" ? `Live · ${link.roundTripMs} ms` : LINK_WORDS[state];
  if (state !== "live") bannerTimer ||= setTimeout(showBanner, BANNER_AFTER_MS);
  else if (!wasLive) backLive();
  if (!banner.hidden) showBanner();
  showStatus();
}

function backLive() {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  bannerWords.textContent = "";
  if (banner.contains(document.activeElement)) composer.words.focus();
  banner.hidden = true;
  doubtLater(waiting.filter((one) => one.isSent));
  if (turn) giveUpLater(turn.id);
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

/** What was on its way when the link broke may be lost, and only the person may repeat it. @param {Waiting[]} ones */
function doubtLater(ones) {
  const doubt = () => {
    for (const one of ones.filter((other) => waiting.includes(other))) {
      const again = makeButton("text-button", "Send again", () => sendAgain(one));
      one.bubble.note("This may not have arrived", "problem", again);
    }
  };
  if (ones.length) setTimeout(doubt, DOUBT_AFTER_MS);
}

/** A turn that stays silent after the link came back has ended without us. @param {string} turnId */
function giveUpLater(turnId) {
  const since = performance.now();
  setTimeout(() => {
    if (turn?.id !== turnId || turn.heardAt > since || link.state !== "live") return;
    closeTurn(turnId);
    tell("The connection broke during this reply, so its end may be missing.", turnId);
  }, ANSWER_WITHIN_MS);
}

function sessionForgotten() {
  closeTurn(turn?.id);
  if (!thread.isEmpty) tell("The server no longer has this conversation. What you write now starts a new one.");
}

function showStatus() {
  clearTimeout(flashTimer);
  const { words, tone } = TURN_WORDS[turn?.state ?? "idle"] ?? TURN_WORDS.thinking;
  const isIdleApart = !turn && link.state !== "live";
  drawStatus(isIdleApart ? "You can keep typing" : turn?.words || words, tone);
  showStop(turn !== null && link.state === "live");
  clearTimeout(slowTimer);
  if (turn && tone === "busy") slowTimer = setTimeout(() => drawStatus("Taking longer than usual", tone), SLOW_TURN_MS);
}

/** Shown for a moment after the turn is over. @param {string} state */
function flashStatus(state) {
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

// ------------------------------------------------------------- the composer

const composer = {
  form: part("composer", HTMLFormElement),
  words: part("words", HTMLTextAreaElement),
  send: part("send", HTMLButtonElement),

  changed() {
    this.send.disabled = !this.words.value.trim();
    if (CSS.supports("field-sizing", "content")) return;
    this.words.style.height = "auto";
    this.words.style.height = `${this.words.scrollHeight}px`;
  },

  submit() {
    say(this.words.value);
    this.words.value = "";
    this.changed();
    this.words.focus();
  },
};

composer.words.addEventListener("input", () => composer.changed());
composer.words.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  composer.submit();
});
composer.form.addEventListener("submit", (event) => {
  event.preventDefault();
  composer.submit();
});
part("chips", HTMLElement).addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  say(target.textContent ?? "");
  composer.words.focus();
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
link.open();
composer.changed();
if (matchMedia("(pointer: fine)").matches) composer.words.focus();
