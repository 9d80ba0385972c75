// @ts-check
/**
 * The one connection to the server. It knows nothing of chat: it hands on what
 * it hears, and says whether it is there.
 *
 * @typedef {"connecting" | "live" | "reconnecting" | "offline"} LinkState
 * @typedef {import("./wire.js").Envelope} Envelope
 * @typedef {import("./wire.js").Failure} Failure
 * @typedef {import("./wire.js").Snapshot} Snapshot
 * @typedef {import("./wire.js").Standing} Standing
 */

import { askForKey, buyTicket, isAsked } from "./sign_in.js";
import { newEventId, parse, personWords, unfold } from "./wire.js";

/** No wait for an answer is longer than this. */
export const ANSWER_WITHIN_MS = 10_000;
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000];
const RETRY_JITTER = 0.2;
const PING_EVERY_MS = 20_000;
const OFFLINE_AFTER_MS = 10_000;
const NOT_WELCOME = 4401;
const UNKNOWN_SESSION = 4404;
const SESSION_KEY = "sayso.session_id";

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
  /** How far the server's clock is ahead of ours. */
  #aheadMs = 0;

  /** @type {WebSocket | null} */
  #socket = null;
  #sessionId = remembered.read();
  #lastSeq = 0;
  #epoch = 0;
  #wasLive = false;
  /** Tells a try that was given up from the one that goes on. */
  #tries = 0;
  #wasOpen = false;
  #failures = 0;
  #pingedAt = 0;
  #retryTimer = 0;
  #answerTimer = 0;
  #offlineTimer = 0;
  #pingTimer = 0;
  /** @type {Listener | null} */
  #listener = null;

  /** @param {Listener} listener */
  start(listener) {
    this.#listener = listener;
    this.open();
  }

  async open() {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = 0;
    this.#offlineTimer ||= setTimeout(() => this.#become("offline"), OFFLINE_AFTER_MS);
    this.#expectAnswer();
    this.#wasOpen = false;

    const attempt = ++this.#tries;
    const ticket = await buyTicket().catch(() => undefined);
    if (attempt !== this.#tries) return;
    if (ticket === undefined) return this.#lost(0);
    if (ticket === null) return this.#turnedAway("That key is not valid, or not any more.");
    const socket = new WebSocket(this.#address(ticket));
    this.#socket = socket;
    socket.onopen = () => {
      this.#wasOpen = true;
      this.ping();
    };
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

  /** Sound, as `session.hello` announced it; while nobody is there it is lost. @param {ArrayBuffer} pcm */
  sendSound(pcm) {
    if (this.state === "live") this.#socket?.send(pcm);
  }

  /**
   * @param {string} eventId
   * @param {string} eventType
   * @param {object} payload
   */
  #write(eventId, eventType, payload) {
    this.#socket?.send(JSON.stringify({ event_id: eventId, event_type: eventType, payload }));
  }

  /** @param {string} ticket */
  #address(ticket) {
    const address = new URL("/chat/stream", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (ticket) address.searchParams.set("ticket", ticket);
    if (this.#sessionId) {
      address.searchParams.set("session_id", this.#sessionId);
      address.searchParams.set("last_seq", String(this.#lastSeq));
      if (this.#epoch) address.searchParams.set("epoch", String(this.#epoch));
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
    if (envelope.event_type === "session.pong") this.#ponged(Date.parse(envelope.ts));
    if (envelope.event_type === "resync") this.#beginAnew(envelope);
    else if (!this.#isRefusal(envelope) && this.#isNew(envelope)) this.#listener?.heard(envelope);
    if (envelope.event_type === "session.resumed") this.#reach(/** @type {Standing} */ (envelope.payload));
  }

  /** @param {Standing} standing */
  #reach({ epoch, last_seq }) {
    this.#epoch = epoch;
    this.#lastSeq = Math.max(this.#lastSeq, last_seq);
  }

  /**
   * What was missed is too much to be told one by one: this is everything there is.
   * @param {Envelope} envelope
   */
  #beginAnew(envelope) {
    // What stands here may be out of date in ways that nobody can tell apart.
    if (this.#lastSeq) return location.reload();
    this.#isNew(envelope);
    const snapshot = /** @type {Snapshot} */ (envelope.payload);
    for (const told of unfold(snapshot, envelope)) this.#listener?.heard(told);
    this.#reach(snapshot);
  }

  /** What time it is there. */
  get serverNow() {
    return Date.now() + this.#aheadMs;
  }

  /** @param {number} serverMs */
  #ponged(serverMs) {
    this.roundTripMs = Math.max(1, Math.round(performance.now() - this.#pingedAt));
    this.#aheadMs = (serverMs || Date.now()) - Date.now();
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
  #isNew({ session_id, seq, epoch }) {
    if (session_id && session_id !== this.#sessionId) {
      this.#sessionId = session_id;
      this.#lastSeq = 0;
      this.#epoch = 0;
      remembered.write(session_id);
    }
    if (seq == null) return true;
    if (seq <= this.#lastSeq) return false;
    this.#lastSeq = seq;
    this.#epoch = epoch;
    return true;
  }

  /** @param {number} code */
  #lost(code) {
    const socket = this.#socket;
    this.#socket = null;
    this.#tries += 1;
    socket?.close();
    clearTimeout(this.#answerTimer);
    clearInterval(this.#pingTimer);
    if (code === NOT_WELCOME) return this.#turnedAway("Your key has ended, or was revoked.");
    if (code === UNKNOWN_SESSION && this.#sessionId) return this.#startAnew();
    this.#waitAndRetry();
    if (!this.#wasOpen) this.#askIfAsked(this.#tries);
  }

  /**
   * A socket that does not open does not say why. It may be that we have to say who we are.
   * @param {number} attempt
   */
  async #askIfAsked(attempt) {
    if (!(await isAsked()) || attempt !== this.#tries) return;
    this.#turnedAway("");
  }

  /** Nothing is tried until somebody has said who they are. @param {string} why */
  #turnedAway(why) {
    this.#tries += 1;
    for (const timer of [this.#retryTimer, this.#answerTimer, this.#offlineTimer]) clearTimeout(timer);
    this.#retryTimer = 0;
    this.#offlineTimer = 0;
    this.refusal = "Not signed in. Your words are kept.";
    this.#become("offline");
    askForKey(why, () => {
      this.refusal = "";
      this.#become(this.#trying);
      this.open();
    });
  }

  #startAnew() {
    this.#sessionId = "";
    this.#lastSeq = 0;
    this.#epoch = 0;
    this.refusal = "";
    remembered.write("");
    this.#listener?.forgotten();
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
    this.#listener?.changed(state);
  }
}

export const link = new Link();
