/**
 * The one connection to the server, and the patience to get it back. It knows
 * nothing of chat: it hands on what it hears, once, and says whether it is there.
 */
import type { Door, Pocket } from "./door.ts";
import { type Envelope, newEventId, type Outgoing, parse, personWords } from "./wire.ts";

export type LinkState = "connecting" | "live" | "reconnecting" | "offline" | "locked" | "outdated";

/** A frame of ours. */
export type Sent = { event_id: string } & Outgoing;

export type LinkListener = {
  changed(state: LinkState): void;
  heard(envelope: Envelope): void;
  /** What went out, as it stands on the wire. */
  sent(frame: Sent): void;
  /** The server does not have this session any more. */
  forgotten(): void;
  /** The chat that is open has begun, or goes on as another one. */
  renamed(from: string, to: string): void;
};

/** No wait for an answer is longer than this. */
const ANSWER_WITHIN_MS = 10_000;
/** Told that the network is gone, it is given up after this: nobody should answer a card into the void. */
const DOUBTED_FOR_MS = 1500;
const RETRY_DELAYS_MS = [500, 1000, 2000, 4000, 8000];
const RETRY_JITTER = 0.2;
const PING_EVERY_MS = 20_000;
const OFFLINE_AFTER_MS = 10_000;
const NOT_WELCOME = 4401;
const UNKNOWN_SESSION = 4404;

export class Link {
  state: LinkState = "connecting";
  /** Why the server turned us away, in words for a person. */
  refusal = "";
  roundTripMs = 0;

  readonly #base: string;
  readonly #door: Door;
  readonly #session: Pocket;
  readonly #thread: Pocket;
  readonly #listener: LinkListener;
  #socket: WebSocket | null = null;
  #epoch = 0;
  #lastSeq = 0;
  /** How far the server's clock is ahead of ours. */
  #aheadMs = 0;
  #wasLive = false;
  #wasOpen = false;
  /** Tells a try that was given up from the one that goes on. */
  #tries = 0;
  #failures = 0;
  #pingedAt = 0;
  #timers: { retry?: Timer; answer?: Timer; offline?: Timer; ping?: Timer } = {};

  constructor(base: string, door: Door, pockets: { session: Pocket; thread: Pocket }, listener: LinkListener) {
    this.#base = base;
    this.#door = door;
    this.#session = pockets.session;
    this.#thread = pockets.thread;
    this.#listener = listener;
  }

  get sessionId(): string {
    return this.#session.read();
  }

  /** The chat that the session belongs to, once it is known. */
  get threadId(): string {
    return this.#thread.read();
  }

  /** What time it is there. */
  get serverNow(): number {
    return Date.now() + this.#aheadMs;
  }

  async open(): Promise<void> {
    this.#stop("retry");
    if (this.state === "locked") this.#become(this.#trying);
    this.#timers.offline ??= setTimeout(() => this.#become("offline"), OFFLINE_AFTER_MS);
    this.#expectAnswer();
    this.#wasOpen = false;
    const attempt = ++this.#tries;
    const ticket = await this.#door.ticket().catch(() => null);
    if (attempt !== this.#tries) return;
    if (ticket === null) return this.#lost(0);
    if (ticket.kind === "refused") return this.#turnedAway("That key is not valid, or not any more.");
    if (!this.sessionId && !(await this.#begin(attempt))) return attempt === this.#tries ? this.#lost(0) : undefined;
    if (attempt !== this.#tries) return;
    this.#dial(ticket.kind === "ticket" ? ticket.ticket : "");
  }

  /** Another session, or the last one of a chat, or a new one; what is missed of it is replayed. */
  move(to: { sessionId?: string; threadId?: string }): void {
    this.#forget();
    this.#session.write(to.sessionId ?? "");
    this.#thread.write(to.threadId ?? "");
    this.#hangUp();
    this.#become("connecting");
    void this.open();
  }

  /** Does not wait for the back-off to pass. */
  retryNow(): void {
    if (!this.#timers.retry) return;
    this.#stop("offline");
    this.#failures = 0;
    this.#become(this.#trying);
    void this.open();
  }

  /** Nothing is tried any more, until it is opened. */
  close(): void {
    this.#hangUp();
    for (const name of ["retry", "offline"] as const) this.#stop(name);
    this.#become("offline");
  }

  /** The network is said to be gone. It may not be: a server on this machine still answers. */
  doubt(): void {
    this.ping(DOUBTED_FOR_MS);
  }

  ping(withinMs = ANSWER_WITHIN_MS): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#pingedAt = performance.now();
    this.#expectAnswer(withinMs);
    this.#write(newEventId(), { event_type: "session.ping", payload: { client_ts: new Date().toISOString() } });
  }

  /** True when the frame was handed to a live connection. */
  send(eventId: string, event: Outgoing): boolean {
    if (this.state !== "live") return false;
    this.#write(eventId, event);
    return true;
  }

  /** Sound, as `session.hello` announced it. False while nobody is there. */
  sendSound(pcm: ArrayBuffer): boolean {
    if (this.state !== "live" || !this.#socket) return false;
    this.#socket.send(pcm);
    return true;
  }

  #write(eventId: string, event: Outgoing): void {
    const frame: Sent = { event_id: eventId, ...event };
    this.#socket?.send(JSON.stringify(frame));
    this.#listener.sent(frame);
  }

  /** The session in which the chat was talked in last: a card may wait there. Else one of its own, in this chat or a new one. */
  async #begin(attempt: number): Promise<boolean> {
    const thread_id = this.threadId;
    const chat = thread_id ? await this.#ask(attempt, `/chat/threads/${thread_id}`) : {};
    if (!chat) return false;
    const body = JSON.stringify(thread_id ? { thread_id } : {});
    const start = { method: "POST", body, headers: { "Content-Type": "application/json" } };
    const session_id = chat.last_session_id;
    const begun = session_id ? { session_id, thread_id } : await this.#ask(attempt, "/chat/session/start", start);
    if (!begun) return false;
    this.#session.write(begun.session_id ?? "");
    this.#goOnAs(begun.thread_id ?? "");
    return true;
  }

  /** What the server tells; nothing where it does not, or where nobody waits for it any more. */
  async #ask(attempt: number, path: string, init?: RequestInit): Promise<Begun | null> {
    const answer = await this.#door.fetch(path, init).catch(() => null);
    const told = answer?.ok ? ((await answer.json()) as Begun) : null;
    if (attempt !== this.#tries) return null;
    // The chat may have been deleted elsewhere.
    if (answer?.status === 404) this.#goOnAs("");
    return told;
  }

  #goOnAs(thread: string): void {
    const before = this.threadId;
    this.#thread.write(thread);
    if (before !== thread) this.#listener.renamed(before, thread);
  }

  #dial(ticket: string): void {
    const socket = new WebSocket(this.#address(ticket));
    this.#socket = socket;
    socket.onopen = () => {
      this.#wasOpen = true;
      this.ping();
    };
    socket.onmessage = ({ data }) => this.#socket === socket && this.#receive(data);
    socket.onclose = ({ code }) => this.#socket === socket && this.#lost(code);
  }

  #address(ticket: string): URL {
    const address = new URL("/chat/stream", this.#base);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const query = address.searchParams;
    if (ticket) query.set("ticket", ticket);
    if (this.sessionId) {
      query.set("session_id", this.sessionId);
      query.set("last_seq", String(this.#lastSeq));
      if (this.#epoch) query.set("epoch", String(this.#epoch));
    }
    return address;
  }

  /** A connection that says nothing for too long is given up, so no wait is endless. */
  #expectAnswer(withinMs = ANSWER_WITHIN_MS): void {
    this.#stop("answer");
    this.#timers.answer = setTimeout(() => this.#lost(0), withinMs);
  }

  #receive(data: unknown): void {
    const envelope = parse(data);
    if (!envelope) return;
    this.#stop("answer");
    if (this.#isRefusal(envelope)) return;
    if (this.#isNew(envelope)) this.#listener.heard(envelope);
    if (envelope.event_type === "session.resumed" || envelope.event_type === "resync") {
      this.#epoch = envelope.payload.epoch;
      this.#lastSeq = Math.max(this.#lastSeq, envelope.payload.last_seq);
    }
    // The pong opens the conversation: until then the server may still turn us away.
    if (envelope.event_type === "session.pong") this.#ponged(Date.parse(envelope.payload.server_ts));
  }

  #ponged(serverMs: number): void {
    this.roundTripMs = Math.max(1, Math.round(performance.now() - this.#pingedAt));
    this.#aheadMs = (serverMs || Date.now()) - Date.now();
    this.#stop("offline");
    this.#failures = 0;
    this.#wasLive = true;
    this.refusal = "";
    this.#timers.ping ??= setInterval(() => this.ping(), PING_EVERY_MS);
    this.#become("live");
  }

  #isRefusal(envelope: Envelope): boolean {
    if (this.state === "live" || envelope.event_type !== "error" || envelope.seq != null) return false;
    if (envelope.payload.code === "protocol_unsupported") {
      this.close();
      this.#become("outdated");
    }
    this.refusal = personWords(envelope.payload);
    return true;
  }

  /** Replayed events were seen already. What has no `seq` is said to this connection only. */
  #isNew({ session_id, seq, epoch }: Envelope): boolean {
    if (session_id && session_id !== this.sessionId) {
      this.#forget();
      this.#session.write(session_id);
    }
    if (seq == null) return true;
    if (seq <= this.#lastSeq) return false;
    this.#lastSeq = seq;
    this.#epoch = epoch;
    return true;
  }

  #forget(): void {
    this.#lastSeq = 0;
    this.#epoch = 0;
  }

  #hangUp(): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#tries += 1;
    socket?.close();
    this.#stop("answer");
    this.#stop("ping");
  }

  #lost(code: number): void {
    this.#hangUp();
    if (code === NOT_WELCOME) this.#turnedAway("Your key has ended, or was revoked.");
    else if (code === UNKNOWN_SESSION && this.sessionId) this.#startAnew();
    else {
      this.#waitAndRetry();
      if (!this.#wasOpen) void this.#askIfAsked(this.#tries);
    }
  }

  /** A socket that does not open does not say why. It may be that we have to say who we are. */
  async #askIfAsked(attempt: number): Promise<void> {
    if ((await this.#door.isAsked()) && attempt === this.#tries) this.#turnedAway("");
  }

  /** Nothing is tried until somebody has said who they are. */
  #turnedAway(why: string): void {
    this.#hangUp();
    for (const name of ["retry", "offline"] as const) this.#stop(name);
    this.refusal = why;
    this.#become("locked");
  }

  #startAnew(): void {
    this.#forget();
    this.#session.write("");
    this.#goOnAs("");
    this.refusal = "";
    this.#listener.forgotten();
    void this.open();
  }

  #waitAndRetry(): void {
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 0;
    const jitter = 1 + RETRY_JITTER * (2 * Math.random() - 1);
    this.#failures += 1;
    this.#timers.retry = setTimeout(() => void this.open(), delay * jitter);
    this.#timers.offline ??= setTimeout(() => this.#become("offline"), OFFLINE_AFTER_MS);
    if (this.state !== "offline") this.#become(this.#trying);
  }

  get #trying(): LinkState {
    return this.#wasLive ? "reconnecting" : "connecting";
  }

  #stop(name: "retry" | "answer" | "offline" | "ping"): void {
    clearTimeout(this.#timers[name]);
    delete this.#timers[name];
  }

  #become(state: LinkState): void {
    this.state = state;
    this.#listener.changed(state);
  }
}

type Begun = { session_id?: string; thread_id?: string; last_session_id?: string | null };
type Timer = ReturnType<typeof setTimeout>;
