/**
 * One chat on one page: the client, the conversation it hears, and what the person
 * does about it. Components read its signals and call its verbs; they know no wire.
 */
import { computed, effect, signal } from "@preact/signals";
import type { MicState, Touch, Trouble, TurnStyle } from "../sdk/index.ts";
import {
  devicePocket,
  type Envelope,
  type LinkState,
  type Position,
  Sayso,
  tabPocket,
  type Waiting,
} from "../sdk/index.ts";
import { personWords } from "../sdk/wire.ts";
import { announce, announceNow } from "./announcer.ts";
import { Answers } from "./answers.ts";
import { type Tray, Trays } from "./attach.ts";
import { heardMore, leaveOff, take } from "./conversation.ts";
import { cue } from "./cues.ts";
import { Drafts } from "./drafts.ts";
import { House, Refusal, type Thread } from "./house.ts";
import {
  type Conversation,
  cardsFrom,
  EMPTY,
  type Message,
  messageOf,
  openCards,
  tellingTurn,
  workingTurn,
} from "./items.ts";
import { Jobs } from "./jobs.ts";
import { Left } from "./left.ts";
import { measureStops } from "./measured.ts";
import { Past } from "./past.ts";
import { prefer, prefs } from "./prefs.ts";
import { shelf } from "./shelf.ts";
import { Waits } from "./waits.ts";

const DRAFT_LASTS_MS = 4000;
const TOAST_MS = 6000;
const STOPPED_MS = 900;
const LONGEST_TITLE = 60;
/** So long after something ended, or a card came, Stop does not speak about the card yet. */
const MEANT_AFTER_MS = 1200;
/** News that something is used instead of what is usual: nothing failed for the person. */
const STAND_INS = ["backup_ears", "backup_voice"];
/** What was missed is here by then, once the link is live. */
const CAUGHT_UP_WITHIN_MS = 600;

const MOST_CORRECTED = 200;
/** Which messages were put right; only their names. */
const corrected = devicePocket("sayso.corrected");

export type Voice = { message: string; heardChars: number; loudest: number; isReplay: boolean };
const SILENT: Voice = { message: "", heardChars: 0, loudest: 0, isReplay: false };

export class Session {
  readonly sayso: Sayso;
  readonly house: House;
  readonly trays: Trays;
  readonly drafts = new Drafts((files) => this.tray.restore(files));
  readonly answers: Answers;
  readonly past: Past;
  readonly jobs: Jobs;
  readonly waits: Waits;

  readonly conversation = signal<Conversation>(EMPTY);
  /** What stands there is from this device; the server has not been heard yet. */
  readonly isFromShelf = signal(false);
  readonly link = signal<LinkState>("connecting");
  readonly downSince = signal<number>(Date.now());
  readonly roundTripMs = signal(0);
  /** Words of the chat that is open, and the other chats that have some. */
  readonly waiting = signal<readonly Waiting[]>([]);
  readonly unsentIn = signal<ReadonlySet<string>>(new Set());
  readonly mic = signal<{ state: MicState; trouble: Trouble | null }>({ state: "off", trouble: null });
  readonly micLevel = signal(0);
  readonly voice = signal<Voice>(SILENT);
  readonly isStalled = signal(false);
  readonly isBlocked = signal(false);
  /** Something else stands in for the ears or the voice that are usually there, in the server's words. */
  readonly standIn = signal("");
  readonly isHeld = signal(false);
  readonly toast = signal("");
  /** "Stopped", for a moment. */
  readonly wasStopped = signal(false);
  readonly slowDownUntil = signal(0);
  readonly threadId = signal("");
  readonly title = signal("");
  readonly firstAudioMs = signal(0);
  /** Messages that were put right below. */
  readonly superseded = signal<ReadonlySet<string>>(new Set(corrected.read().split(" ")));

  readonly working = computed(() => workingTurn(this.conversation.value));
  readonly telling = computed(() => tellingTurn(this.conversation.value));
  readonly cards = computed(() => openCards(this.conversation.value));
  /** What the server can do, also while it is away. */
  readonly capabilities = computed(() => this.conversation.value.capabilities ?? this.sayso.capabilities);
  readonly isLive = computed(() => this.link.value === "live");
  /** Nothing works and nobody speaks. */
  readonly isQuiet = computed(() => this.working.value === null && this.voice.value.message === "");

  readonly #left = new Left();
  #catchingUp: Conversation | null = EMPTY;
  #caughtUpTimer: Timer;
  #draftTimer: Timer;
  #toastTimer: Timer;
  #isCarrying = false;
  #stops = new Set<string>();
  #replays = new Map<string, string>();
  #saidAt = 0;
  /** When somebody was last heard, by either side, or the microphone was opened. */
  #talkedAt = 0;
  #stoppedAt = Number.NEGATIVE_INFINITY;
  /** Since when the card in front has stood there as it is. */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor() {
    this.sayso = new Sayso({
      name: "sayso-page",
      pockets: {
        key: tabPocket("sayso.key"),
        session: tabPocket("sayso.session_id"),
        thread: tabPocket("sayso.thread_id"),
        outbox: this.#left,
      },
    });
    this.house = new House(this.sayso.door);
    this.past = new Past(this.house, (id) => messageOf(this.conversation.value, id) !== undefined);
    this.trays = new Trays(this.sayso.door);
    this.waits = new Waits(this.house);
    this.jobs = new Jobs(this.sayso.door, (words) => this.tell(words));
    this.answers = new Answers(this.sayso, (words) => this.tell(words));
    this.threadId.value = this.sayso.link.threadId;
    void this.drafts.open(this.threadId.value);
    this.#listen();
    this.#lookInOutbox();
    void this.#takeUp(true);
    const inFront = computed(
      () => this.cards.value.slice(0, 1).map(({ id, question }) => `${id} ${question.revision}`)[0],
    );
    effect(() => this.drafts.keepFiles(this.tray.files.value));
    effect(() => {
      if (inFront.value) this.#askedAt = performance.now();
    });
  }

  /** What is attached in the chat that is open. */
  get tray(): Tray {
    return this.trays.open.value;
  }

  /** How long the microphone has been open with nobody talking. */
  get quietMs(): number {
    const { state } = this.mic.value;
    return state === "open" && !this.working.value ? Date.now() - this.#talkedAt : 0;
  }

  /** With the chat that was open in this window, or the one that the address names. */
  async begin(thread = ""): Promise<void> {
    this.style(prefs.value.turnStyle);
    this.sayso.voice(prefs.value.voice);
    if (thread && thread !== this.threadId.value) return this.openThread(thread);
    void this.#readShelf();
    this.sayso.connect();
  }

  // What the person does

  /** `files`: attached before, and to be looked at again with what is attached now. */
  async say(text: string, files: string[] = []): Promise<void> {
    const words = text.trim();
    if (!words) return;
    if (this.sayso.speaks) void this.sayso.speaker.unlock();
    const { tray } = this;
    // What works is stopped before the words come, or they might be stopped with it.
    if (prefs.value.typing === "interrupt" && this.working.value) await this.interrupt();
    this.#saidAt = performance.now();
    const { coming } = tray;
    const one = this.sayso.say(words, coming ? files : [...files, ...tray.take()], coming !== null);
    void coming?.then((problem) => this.sayso.outbox.arrive(one.eventId, [...files, ...tray.take()], problem));
  }

  /** A misheard sentence put right: new words, the old ones marked, and what they asked for declined before. */
  async correct(message: Message, text: string): Promise<void> {
    const ids = [...corrected.read().split(" "), message.id].slice(-MOST_CORRECTED);
    corrected.write(ids.join(" "));
    this.superseded.value = new Set(ids);
    if (this.working.value?.id === message.turn) await this.interrupt();
    for (const card of cardsFrom(this.conversation.value, message)) this.answers.give(card, "reject", "click");
    const files = message.attachments.map(({ file_id }) => file_id);
    await this.say(text, files);
  }

  /** Stops what works. A question that waits is not answered by it. */
  async interrupt(): Promise<void> {
    const turn = this.working.value;
    if (!turn && !this.sayso.speaker.isPlaying) return;
    performance.mark("sayso.stop");
    // What was kept here is played without the server.
    if (!turn && this.voice.value.isReplay && !this.sayso.speaker.isComing) {
      await this.sayso.speaker.cut();
      return;
    }
    const id = await this.sayso.interrupt(turn?.id);
    if (id) this.#stops.add(id);
  }

  /**
   * Stop: the voice and the work first. With neither, it says no to the card that waits, where it may
   * answer one; false where nothing does.
   */
  stop(channel: Touch, mayAnswer = true): boolean {
    if (this.working.value || this.sayso.speaker.isPlaying) {
      this.#stoppedAt = performance.now();
      void this.interrupt();
      return true;
    }
    const [card] = this.cards.value;
    // A press that was meant for what has just ended is not an answer.
    const isMeant = performance.now() - Math.max(this.#stoppedAt, this.#askedAt) >= MEANT_AFTER_MS;
    return (
      mayAnswer && card !== undefined && this.isLive.value && isMeant && this.answers.give(card, "reject", channel)
    );
  }

  /** `fromChars`: the rest of it, from the sentence on in which it was cut off. */
  async replay(message: string, fromChars = 0): Promise<void> {
    const { voice } = this;
    if (voice.value.message === message && this.sayso.speaker.isPlaying) {
      return this.sayso.stopReplay(message);
    }
    if (this.sayso.speaker.isPlaying) await this.sayso.speaker.cut();
    voice.value = { ...SILENT, message, heardChars: fromChars, isReplay: true };
    const id = await this.sayso.replay(message, fromChars);
    if (id === null) this.tell("Not connected: it can be heard again when you’re back.");
    if (id === null) voice.value = SILENT;
    else if (id) this.#replays.set(id, message);
  }

  async talk(): Promise<void> {
    if (await this.sayso.talk(prefs.value.micId)) {
      cue("open");
      announce(prefs.value.turnStyle === "auto" ? "Listening" : "Microphone on");
    } else if (this.mic.value.trouble) announceNow(this.mic.value.trouble.words);
  }

  hush(): void {
    this.hold(false);
    this.sayso.hush();
    this.micLevel.value = 0;
    announce("Microphone off");
  }

  mute(isMuted: boolean): void {
    this.sayso.mic.mute(isMuted);
    announce(isMuted ? "Muted" : "Microphone on");
  }

  hold(isHeld: boolean): void {
    if (isHeld) this.sayso.begin();
    else this.sayso.end();
    this.isHeld.value = this.sayso.isHeld;
  }

  /** Who decides that somebody is done speaking. */
  style(style: TurnStyle): void {
    this.sayso.style(style);
    this.isHeld.value = false;
  }

  /** Another microphone was chosen. */
  async changeMic(): Promise<void> {
    if (this.sayso.mic.isOpen) await this.tryMicAgain();
  }

  /** Whoever was muted stays so. */
  async tryMicAgain(): Promise<void> {
    const { mic } = this.sayso;
    const { isMuted } = mic;
    mic.close();
    mic.mute(isMuted);
    await this.talk();
  }

  testSpeaker(): void {
    void this.sayso.speaker.unlock().then(() => this.sayso.speaker.tone());
  }

  takeBack(eventId: string): void {
    const one = this.sayso.outbox.take(eventId);
    if (one) this.drafts.put(one.text);
  }

  signIn(key: string): void {
    this.sayso.door.keep(key);
    this.sayso.connect();
  }

  /** Another chat, or a new one. */
  async open(thread: { threadId: string; sessionId: string; title: string } | null): Promise<void> {
    this.past.keep(this.#toKeep());
    this.voice.value = SILENT;
    // The one before may still have been catching up; that says nothing of this one.
    clearTimeout(this.#caughtUpTimer);
    this.#catchingUp = EMPTY;
    this.conversation.value = EMPTY;
    this.past.open(thread?.threadId ?? "");
    this.answers.clear();
    this.threadId.value = thread?.threadId ?? "";
    this.title.value = thread?.title ?? "";
    void this.drafts.open(this.threadId.value);
    this.trays.move(this.sayso.link.threadId, thread?.threadId ?? "");
    this.sayso.move({ sessionId: thread?.sessionId, threadId: thread?.threadId });
    await this.#readShelf();
  }

  /** A chat by its name: it goes on where it was talked in last. Without one, a new one. */
  async openThread(id: string): Promise<void> {
    if (!id) return this.open(null);
    const found = await this.house.thread(id).catch((error: unknown) => error);
    if (found instanceof Refusal && found.code === "unknown_thread") {
      this.tell("That chat cannot be found any more.");
      return this.open(null);
    }
    // Without a connection it is read from this device, and opens when there is one.
    const { title = "", last_session_id = null } = found instanceof Error ? {} : (found as Partial<Thread>);
    await this.open({ threadId: id, sessionId: last_session_id ?? "", title });
  }

  /** The chat that a session belongs to, where it is its latest. */
  async openSession(id: string): Promise<void> {
    if (id === this.sayso.link.sessionId) return;
    const found = import("./study.ts").then(({ Study }) => new Study(this.house).threadOf(id));
    const thread = await found.catch(() => null);
    if (!thread) return this.tell("That chat cannot be found any more.");
    await this.open({ threadId: thread.thread_id, sessionId: id, title: thread.title });
  }

  /** Nothing of this person stays on this device. False where something may. */
  async signOut(): Promise<boolean> {
    this.sayso.hush();
    this.sayso.door.keep("");
    this.sayso.outbox.clear();
    this.#left.wipe();
    this.trays.clear();
    this.past.open("");
    this.drafts.clear();
    corrected.write("");
    // First nothing more comes in, or what comes would be put on the shelf again.
    this.sayso.move({});
    this.conversation.value = EMPTY;
    this.threadId.value = this.title.value = "";
    return shelf.wipe();
  }

  tell(words: string): void {
    clearTimeout(this.#toastTimer);
    this.toast.value = words;
    announce(words);
    this.#toastTimer = setTimeout(() => {
      this.toast.value = "";
    }, TOAST_MS);
  }

  // What is heard

  #listen(): void {
    const { sayso } = this;
    sayso.on("event", (envelope) => this.#heard(envelope));
    sayso.on("link", (state) => this.#linkChanged(state));
    sayso.on("outbox", () => this.#lookInOutbox());
    sayso.on("mic", (mic) => {
      if (mic.state !== "open" || this.mic.value.state !== "open") this.#talkedAt = Date.now();
      this.mic.value = mic;
      if (mic.trouble?.kind === "device_gone") prefer({ micId: "" });
    });
    sayso.on("heard", (loudest) => {
      this.micLevel.value = loudest;
    });
    sayso.on("talkedOver", (isTalking) => {
      if (isTalking) performance.mark("sayso.onset");
      else performance.clearMarks("sayso.onset");
    });
    sayso.on("spoken", ({ position, loudest }) => this.#spoken(position, loudest));
    sayso.on("silent", ({ position, isCut }) => {
      if (isCut) measureStops();
      const isLost = !isCut && Number.isFinite(position.heardChars);
      const heard = isLost ? leaveOff : heardMore;
      this.conversation.value = heard(this.conversation.value, position.message, position.heardChars);
      this.voice.value = SILENT;
      this.isStalled.value = false;
    });
    sayso.on("stalled", () => {
      this.isStalled.value = true;
    });
    sayso.on("blocked", (isBlocked) => {
      this.isBlocked.value = isBlocked;
    });
    sayso.on("soundLost", () =>
      this.tell("The connection was away too long: what you said last was lost. Please say it again."),
    );
    sayso.on("forgotten", () => this.#forgotten());
  }

  #lookInOutbox(): void {
    const { waiting, here } = this.sayso.outbox;
    this.waiting.value = here;
    this.unsentIn.value = new Set(waiting.filter((one) => !here.includes(one)).map(({ thread }) => thread));
  }

  #heard(envelope: Envelope): void {
    if (this.#isAnswered(envelope)) return;
    const now = this.#catchingUp ?? this.conversation.value;
    const next = take(now, envelope);
    if (this.#catchingUp) this.#catchingUp = next;
    else {
      this.conversation.value = next;
      this.#react(envelope);
    }
    const isCaughtUp = envelope.event_type === "session.resumed" || envelope.event_type === "resync";
    if (isCaughtUp) this.#caughtUp();
    this.#adopt(next, envelope);
    this.#settle(envelope);
    this.past.keepLater(() => this.#toKeep());
  }

  /** Words of ours stand in the conversation now; they no longer wait. */
  #adopt(next: Conversation, envelope: Envelope): void {
    if (envelope.event_type !== "input_transcript.final") return;
    const message = next.items.find((item) => item.kind === "message" && item.id === envelope.message_id);
    if (message) this.sayso.outbox.take(message.key);
  }

  /** An answer of ours has arrived, or the card came back changed. */
  #settle({ event_type, payload, seq }: Envelope): void {
    const isAbout = event_type === "confirmation.resolved" || event_type === "confirmation.expired";
    const isRevised = event_type === "confirmation.updated" && seq != null && payload.changed !== undefined;
    if (event_type === "confirmation.resolved" && !this.#catchingUp && this.isLive.value) {
      this.answers.hear(payload.confirmation_request_id, payload.channel, payload.in_reply_to ?? "");
    }
    if (isAbout || isRevised) this.answers.settle(payload.confirmation_request_id);
    // Decided here, it was decided with what was changed, or without it on purpose.
    if (isAbout && "in_reply_to" in payload && this.answers.gave(payload.in_reply_to ?? ""))
      this.drafts.keepEdit(payload.confirmation_request_id, null);
  }

  /** A replay stands on the screen all at once. */
  #caughtUp(): void {
    if (!this.#catchingUp) return;
    this.conversation.value = this.#catchingUp;
    this.#catchingUp = null;
    this.isFromShelf.value = false;
    this.#nameThread();
  }

  /** A chat that has begun has a name at the server. */
  #nameThread(): void {
    this.threadId.value = this.sayso.link.threadId;
    this.drafts.rename(this.threadId.value);
  }

  /** True for what is an answer to something that was done here. */
  #isAnswered({ event_type, payload }: Envelope): boolean {
    if (event_type === "rate_limit") {
      this.slowDownUntil.value = Date.now() + payload.retry_after_ms;
      if (!this.sayso.outbox.refuse(payload.in_reply_to, payload.user_message, true)) this.tell(payload.user_message);
      return true;
    }
    if (event_type !== "error" || !payload.in_reply_to) return false;
    const id = payload.in_reply_to;
    if (this.sayso.outbox.refuse(id, personWords(payload), payload.retryable)) return true;
    if (this.answers.refuse(id, payload)) return true;
    if (this.#stops.delete(id) && payload.code === "nothing_to_interrupt") return true;
    if (this.#replays.delete(id)) {
      this.voice.value = SILENT;
      this.tell(payload.code === "unknown_event" ? "This server cannot say it again." : personWords(payload));
      return true;
    }
    return false;
  }

  /** What people should notice, besides seeing it. */
  #react({ event_type, payload, turn_id }: Envelope): void {
    switch (event_type) {
      case "confirmation.request":
        cue("ask");
        break;
      case "input_transcript.delta":
        clearTimeout(this.#draftTimer);
        this.#draftTimer = setTimeout(() => this.#dropDraft(), DRAFT_LASTS_MS);
        break;
      case "input_transcript.final":
        this.#saidAt = performance.now();
        void this.#nameChat();
        break;
      case "assistant_audio.start":
        if (this.#saidAt) this.firstAudioMs.value = Math.round(performance.now() - this.#saidAt);
        this.#saidAt = 0;
        break;
      case "assistant_text.final":
        if (!this.sayso.speaks || prefs.value.announceReplies) announce(`Sayso: ${payload.text}`);
        break;
      case "turn.cancelled":
        this.wasStopped.value = true;
        announce("Stopped");
        setTimeout(() => {
          this.wasStopped.value = false;
        }, STOPPED_MS);
        break;
      case "error":
        if (STAND_INS.includes(payload.code)) {
          // Both may be away; neither takes the other's place, and each is told once.
          if (this.standIn.value.includes(personWords(payload))) return;
          this.standIn.value = `${this.standIn.value} ${personWords(payload)}`.trim();
          announce(personWords(payload));
          return;
        }
        if (!turn_id) this.tell(personWords(payload));
        else announceNow(personWords(payload));
        cue("trouble");
        break;
      case "turn.end":
        void this.#nameChat();
        break;
      default:
    }
  }

  #spoken(position: Position, loudest: number): void {
    const { isReplay } = this.voice.value;
    this.isStalled.value = false;
    this.#talkedAt = Date.now();
    this.voice.value = { message: position.message, heardChars: position.heardChars, loudest, isReplay };
  }

  #linkChanged(state: LinkState): void {
    const wasLive = this.link.value === "live";
    this.link.value = state;
    this.roundTripMs.value = this.sayso.link.roundTripMs;
    if (wasLive && state !== "live") this.downSince.value = Date.now();
    // A session that has only just begun has nothing to catch up with.
    if (state === "live" && this.#catchingUp)
      this.#caughtUpTimer = setTimeout(() => this.#caughtUp(), CAUGHT_UP_WITHIN_MS);
    if (state === "live" && !wasLive) {
      setTimeout(() => this.answers.backLive(this.cards.value.map(({ id }) => id)), CAUGHT_UP_WITHIN_MS);
      void this.#nameChat().then(() => this.past.look(this.threadId.value));
      void this.#takeUp()
        .then(() => this.#carry())
        .catch(() => undefined);
    }
  }

  /** What was written in a window that is closed is not lost with it. */
  #takeUp(waits = false): Promise<void> {
    return this.#left.takeUp((words) => this.sayso.outbox.inherit(words), waits);
  }

  /** What waits in other chats is brought there; nobody has to open them for it. */
  async #carry(): Promise<void> {
    if (this.#isCarrying || !this.unsentIn.value.size) return;
    this.#isCarrying = true;
    try {
      const { carry } = await import("./errands.ts");
      for (const thread of this.unsentIn.value) await carry(this.sayso, this.house, thread);
    } finally {
      this.#isCarrying = false;
    }
  }

  #forgotten(): void {
    const had = this.conversation.value.items.length > 0;
    this.#catchingUp = EMPTY;
    this.conversation.value = EMPTY;
    this.answers.clear();
    if (had) this.tell("The server no longer has this conversation. What you write now starts a new one.");
  }

  #dropDraft(): void {
    this.conversation.value = { ...this.conversation.value, draft: null };
  }

  // What is kept

  async #readShelf(): Promise<void> {
    const thread = this.threadId.value;
    if (!thread) return;
    const kept = await shelf.take(thread);
    if (!kept || !this.#catchingUp || thread !== this.threadId.value) return;
    this.title.value ||= kept.title;
    this.conversation.value = { ...EMPTY, items: kept.messages };
    this.isFromShelf.value = true;
  }

  async #nameChat(): Promise<void> {
    this.#nameThread();
    if (this.title.value || !this.threadId.value || !this.conversation.value.items.length) return;
    const first = this.conversation.value.items.find((item) => item.kind === "message" && item.role === "user");
    if (first?.kind === "message") this.title.value = titleOf(first.text);
  }

  /** What stands there came from this device, or from the server and may be kept. */
  #toKeep() {
    if (this.isFromShelf.value) return null;
    return { thread: this.threadId.value, title: this.title.value, conversation: this.conversation.value };
  }
}

/** The first line of it, not cut within a word. */
function titleOf(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE).replace(/\s+\S*$/, "")}…` : line;
}

type Timer = ReturnType<typeof setTimeout> | undefined;
