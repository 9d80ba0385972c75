/**
 * Sayso for programs in a browser: connect, say, listen, speak, decide. Everything
 * that happens is told as it happened; nothing is drawn here.
 */
import { Door, type Pocket, tabPocket } from "./door.ts";
import { END, Frames } from "./frames.ts";
import { Link, type LinkState, type Sent } from "./link.ts";
import { Mic, type MicState } from "./mic.ts";
import { Onset } from "./onset.ts";
import { Outbox, type Waiting } from "./outbox.ts";
import { Sound } from "./sound.ts";
import { type Position, Speaker } from "./speaker.ts";
import type { Trouble } from "./trouble.ts";
import { type Capabilities, type Choice, type Envelope, newEventId, type Outgoing, type Touch } from "./wire.ts";

export type TurnStyle = "auto" | "hold" | "tap";

export type Options = {
  /** Where the server is; this page's own origin unless said. */
  url?: string;
  /** What the server's log calls this client. */
  name?: string;
  /** Where key, session and unsent words lie between two visits. */
  pockets?: { key: Pocket; session: Pocket; thread: Pocket; outbox: Pocket };
};

/** What is told, and with what. */
export type News = {
  /** Every event of the server, once, in its order. */
  event: Envelope;
  /** Every frame of ours, as it went out; for those who look over our shoulder. */
  sent: Sent;
  link: LinkState;
  /** The server no longer has this session; the next words begin a new one. */
  forgotten: undefined;
  /** Words that wait, in any chat. */
  outbox: readonly Waiting[];
  mic: { state: MicState; trouble: Trouble | null };
  /** How loud the microphone is, fifty times a second. */
  heard: number;
  /** Somebody began to talk over the voice, or it was nothing. */
  talkedOver: boolean;
  /** How far the voice is, and how loud. */
  spoken: { position: Position; loudest: number };
  /** The voice has stopped: at its end, or cut. */
  silent: { position: Position; isCut: boolean };
  stalled: undefined;
  /** The browser holds the sound back until somebody taps. */
  blocked: boolean;
  /** Sound of a break in the connection was too much to keep. */
  soundLost: undefined;
};

type Listener<K extends keyof News> = (news: News[K]) => void;

const REPORT_EVERY_MS = 500;
const PROTOCOL = 1;
/** How loud the voice goes on while somebody talks over it. */
const SOFTLY = 0.2;

export class Sayso {
  readonly door: Door;
  readonly link: Link;
  readonly outbox: Outbox;
  readonly mic: Mic;
  readonly speaker: Speaker;
  capabilities: Capabilities | null = null;

  readonly #name: string;
  readonly #sound = new Sound();
  readonly #listeners = new Map<keyof News, Set<(news: never) => void>>();
  #style: TurnStyle = "auto";
  #speaksAlways = false;
  #isSilent = false;
  /** In `hold` and `tap`: sound is handed on only between begin and end. */
  #isHeld = false;
  readonly #frames: Frames;
  #reportedAt = 0;
  readonly #onset = new Onset();
  /** How loud the voice was lately. */
  #voiceLevel = 0;
  #cards = new Set<string>();
  /** The message of which only the rest was asked for. */
  #rest = "";

  constructor({ url = location.href, name = "sayso-sdk", pockets }: Options = {}) {
    const kept = pockets ?? {
      key: tabPocket("sayso.key"),
      session: tabPocket("sayso.session_id"),
      thread: tabPocket("sayso.thread_id"),
      outbox: tabPocket("sayso.outbox"),
    };
    this.#name = name;
    this.door = new Door(url, kept.key);
    this.link = new Link(url, this.door, kept, {
      changed: (state) => this.#linkChanged(state),
      heard: (envelope) => this.#heard(envelope),
      sent: (frame) => this.#tell("sent", frame),
      forgotten: () => this.#forgotten(),
      renamed: (from, to) => this.outbox.rename(from, to),
    });
    const wire = {
      send: (id: string, event: Outgoing) => this.link.send(id, event),
      isThere: () => this.link.state === "live",
      thread: () => this.link.threadId,
      hasOpenCards: () => this.#cards.size > 0,
      now: () => this.link.serverNow,
    };
    this.outbox = new Outbox(wire, kept.outbox, (waiting) => this.#tell("outbox", waiting));
    this.#frames = new Frames(
      (one) => (one === END ? this.#sendEnd("end_of_speech") : this.link.sendSound(one)),
      () => this.#tell("soundLost", undefined),
    );
    this.mic = new Mic(this.#sound, {
      changed: (state, trouble) => this.#tell("mic", { state, trouble }),
      frame: (pcm, loudest) => {
        this.#sendSound(pcm);
        this.#listenForOnset(loudest);
      },
      level: (loudest) => this.#tell("heard", loudest),
    });
    this.speaker = new Speaker(this.#sound, {
      moved: (position, loudest) => this.#moved(position, loudest),
      stopped: (position, isCut) => this.#stopped(position, isCut),
      stalled: () => this.#tell("stalled", undefined),
      blocked: (isBlocked) => this.#tell("blocked", isBlocked),
    });
  }

  /** Hears of one kind of news until the returned function is called. */
  on<K extends keyof News>(kind: K, listener: Listener<K>): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners);
    listeners.add(listener as (news: never) => void);
    return () => listeners.delete(listener as (news: never) => void);
  }

  connect(): void {
    void this.link.open();
  }

  /** Leaves: nothing is heard, said or tried any more. What waits is kept for whoever comes next. */
  close(): void {
    this.hush();
    void this.speaker.cut();
    this.link.close();
    void this.#sound.close();
  }

  /** Another chat, or a new one. Words that wait in the one before stay there. */
  move(to: { sessionId?: string; threadId?: string }): void {
    this.#cards.clear();
    void this.speaker.cut();
    this.link.move(to);
    this.#tell("outbox", this.outbox.waiting);
  }

  /** Words of the person. They are kept until the server has heard them. */
  say(text: string, attachments: string[] = [], isComing = false): Waiting {
    if (this.speaker.isPlaying) void this.speaker.cut();
    return this.outbox.say(text, attachments, isComing);
  }

  /** An answer to a card. The id that a refusal would name, or nothing while nobody is there. */
  answer(
    card: string,
    revision: number,
    decision: Choice,
    channel: Touch,
    edited?: Record<string, unknown>,
  ): string | null {
    const payload = { confirmation_request_id: card, revision, decision, channel, edited_payload: edited };
    return this.send({ event_type: "confirm.response", payload });
  }

  /** Keeps a card open while somebody reads or edits it. */
  extend(card: string): string | null {
    return this.send({ event_type: "confirm.extend", payload: { confirmation_request_id: card } });
  }

  /** Stops the voice here first, then says so. Without a turn it means the current one. */
  async interrupt(turn?: string, reason = "barge_in"): Promise<string | null> {
    const heard_ms = this.speaker.isPlaying ? (await this.speaker.cut()).heardMs : undefined;
    return this.send({ event_type: "user.interrupt", payload: { reason, cancel_turn_id: turn, heard_ms } });
  }

  /**
   * Says an earlier message once more, out of what was kept or by asking for it. Nothing is done again.
   * With `fromChars` from the sentence on in which that character stands.
   */
  async replay(message: string, fromChars = 0): Promise<string | null> {
    await this.speaker.unlock();
    this.#rest = fromChars > 0 ? message : "";
    // The server, where it is saying something else, would go on with that.
    if (!this.#rest && !this.speaker.isComing && this.speaker.again(message)) return "";
    const from_chars = fromChars > 0 ? fromChars : undefined;
    return this.send({ event_type: "playback.replay", payload: { message_id: message, from_chars } });
  }

  /** Stops a message that is being said, here and there; whatever works goes on. */
  async stopReplay(message: string): Promise<void> {
    const { isComing } = this.speaker;
    await this.speaker.cut();
    // Asked for a second time, it is not said any more.
    if (isComing) this.send({ event_type: "playback.replay", payload: { message_id: message } });
  }

  send(event: Outgoing): string | null {
    const eventId = newEventId();
    return this.link.send(eventId, event) ? eventId : null;
  }

  /** Opens the microphone and makes sound possible. Call it from a click or a key. */
  async talk(deviceId = ""): Promise<boolean> {
    const isOpen = await this.mic.open(deviceId);
    if (!isOpen) return false;
    // Sound comes from now on, and to unlock the voice may take a while.
    this.greet();
    await this.speaker.unlock();
    return true;
  }

  /** Closes the microphone. */
  hush(): void {
    if (!this.mic.isOpen) return;
    this.mic.close();
    this.#frames.drop();
    this.#sendEnd("manual_stop");
    this.greet();
  }

  /** Who decides that somebody is done speaking: silence, or whoever holds or taps. */
  style(style: TurnStyle): void {
    this.#style = style;
    this.#isHeld = false;
    this.greet();
  }

  /** In `hold` and `tap`: from now on it is meant for Sayso. */
  begin(): void {
    this.#isHeld = true;
    if (this.speaker.isPlaying) void this.speaker.cut();
  }

  /** In `hold` and `tap`: that was all. */
  end(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#frames.take(END);
  }

  #sendEnd(reason: "end_of_speech" | "manual_stop"): boolean {
    return this.send({ event_type: "audio.end", payload: { reason } }) !== null;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Speak answers: along with the microphone, always, or never. */
  voice(when: "talking" | "always" | "never"): void {
    this.#speaksAlways = when === "always";
    this.#isSilent = when === "never";
    if (this.#isSilent && this.speaker.isPlaying) void this.speaker.cut();
    this.greet();
  }

  get speaks(): boolean {
    return !this.#isSilent && (this.#speaksAlways || this.mic.isOpen);
  }

  /** Says what we do with sound; it has to be said again on every connection. */
  greet(): void {
    const sample_rate = this.mic.sampleRate;
    const id = this.send({
      event_type: "session.hello",
      payload: {
        protocol: PROTOCOL,
        client: this.#name,
        binary_audio: sample_rate ? { sample_rate, channels: 1 } : undefined,
        plays_audio: this.speaks,
        cancels_echo: true,
        turn_mode: this.#style === "auto" ? "auto" : "manual",
      },
    });
    this.#frames.announce(id !== null && sample_rate > 0);
  }

  #linkChanged(state: LinkState): void {
    // The rest of what was being said does not come any more.
    if (state !== "live") this.speaker.lost();
    if (state !== "live") this.#frames.announce(false);
    const wasLive = this.#wasLive;
    this.#wasLive = state === "live";
    if (state === "live" && !wasLive) this.greet();
    this.#tell("link", state);
    if (state === "live" && !wasLive) this.outbox.doubt();
  }
  #wasLive = false;

  #heard(envelope: Envelope): void {
    this.#count(envelope);
    this.#voice(envelope);
    if (envelope.event_type === "session.ready") this.capabilities = envelope.payload.capabilities;
    if (envelope.event_type === "input.repeated") this.outbox.take(envelope.payload.in_reply_to);
    this.#tell("event", envelope);
  }

  /** Which cards are open, so that late words are not taken for an answer. */
  #count({ event_type, payload }: Envelope): void {
    switch (event_type) {
      case "confirmation.request":
      case "confirmation.updated":
        this.#cards.add(payload.confirmation_request_id);
        break;
      case "confirmation.resolved":
      case "confirmation.expired":
        this.#cards.delete(payload.confirmation_request_id);
        break;
      case "resync":
        this.#cards = new Set(payload.pending_confirmations.map((card) => card.confirmation_request_id));
        break;
      default:
    }
  }

  #voice({ event_type, payload, message_id = "" }: Envelope): void {
    switch (event_type) {
      case "assistant_audio.start":
        this.speaker.begin(message_id, payload, message_id === this.#rest);
        this.#rest = "";
        break;
      case "assistant_audio.chunk":
        this.speaker.play(message_id, payload);
        break;
      case "assistant_audio.level":
        this.speaker.level(payload.gain);
        break;
      case "assistant_audio.end":
        this.speaker.end(message_id, payload.interrupted ?? false);
        break;
      default:
    }
  }

  #forgotten(): void {
    this.#cards.clear();
    this.#tell("forgotten", undefined);
  }

  #sendSound(pcm: ArrayBuffer): void {
    if (this.#style === "auto" || this.#isHeld) this.#frames.take(pcm);
  }

  /** The voice is lowered here at once; the server decides whether it falls silent. */
  #listenForOnset(loudest: number): void {
    if (this.#style !== "auto") return;
    if (!this.#onset.hear(loudest, this.#voiceLevel, performance.now()) || !this.speaker.isPlaying) return;
    const { isTalking } = this.#onset;
    this.speaker.soften(isTalking ? SOFTLY : 1);
    this.#tell("talkedOver", isTalking);
  }

  #moved(position: Position, loudest: number): void {
    this.#voiceLevel = loudest;
    this.#tell("spoken", { position, loudest });
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = now;
    this.#report(position);
  }

  #stopped(position: Position, isCut: boolean): void {
    this.#voiceLevel = 0;
    this.#report(position);
    this.#tell("silent", { position, isCut });
  }

  #report({ message, heardMs }: Position): void {
    if (message)
      this.send({ event_type: "playback.progress", payload: { message_id: message, heard_ms: Math.round(heardMs) } });
  }

  #tell<K extends keyof News>(kind: K, news: News[K]): void {
    for (const listener of this.#listeners.get(kind) ?? []) (listener as Listener<K>)(news);
  }
}
