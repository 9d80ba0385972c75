/**
 * Plays what Sayso says, knows how much of it was heard, and falls silent at once.
 *
 * Sound goes out through an audio element, so that the browser's echo canceller knows
 * it and the person may choose where it comes from.
 */
import type { Sound } from "./sound.ts";
import type { Payload } from "./wire.ts";

export type Position = { message: string; heardMs: number; heardChars: number };

export type SpeakerListener = {
  moved(position: Position, loudest: number): void;
  /** All of it was heard (then of endless characters), or as much as there was before a break; or it was cut. */
  stopped(position: Position, isCut: boolean): void;
  /** It ran dry in the middle. */
  stalled(): void;
  blocked(isBlocked: boolean): void;
};

/** Which characters are heard when. */
type Mark = { atMs: number; endMs: number; from: number; to: number };
type Heard =
  | { told: "position"; message: string; heardMs: number; loudest: number }
  | { told: "finished" | "dry"; message: string }
  | { told: "cut"; id: number; message: string; heardMs: number };

const NOTHING: Position = { message: "", heardMs: 0, heardChars: 0 };
/** So many spoken messages can be heard again without asking for them. */
const KEPT = 12;
/** Who cuts the voice waits no longer than this for word of where it was. */
const CUT_WITHIN_MS = 100;

type Spoken = {
  rate: number;
  marks: Mark[];
  pieces: { atMs: number; samples: Float32Array }[];
  isRest: boolean;
  isWhole: boolean;
  /** Nobody wants to hear more of it; what is under way is kept and not played. */
  isCut: boolean;
  /** The rest of it went down with the connection. */
  isLost: boolean;
};

export class Speaker {
  readonly #sound: Sound;
  readonly #listener: SpeakerListener;
  #node: AudioWorkletNode | null = null;
  #element: HTMLAudioElement | null = null;
  #spoken = new Map<string, Spoken>();
  #playing = "";
  /** The message that the server is saying. */
  #coming = "";
  #position = NOTHING;
  /** The cut that was asked for last, and the answer that everybody who asked for it waits for. */
  #cuts = 0;
  #cutting: Promise<Position> | null = null;
  #onCut: ((cut: Position) => void) | null = null;
  /** Where sound is to come out, also from before there is any. */
  #sink = "";
  volume = 1;
  /** What the server asked for, and what was done here before it could. */
  #level = 1;
  #softness = 1;

  constructor(sound: Sound, listener: SpeakerListener) {
    this.#sound = sound;
    this.#listener = listener;
  }

  get isPlaying(): boolean {
    return this.#playing !== "";
  }

  /** Whether the server is saying something, of which more comes unless it is told to stop. */
  get isComing(): boolean {
    return this.#coming !== "";
  }

  get position(): Position {
    return this.#position;
  }

  /** Makes sound possible. Call it from a click or a key. */
  async unlock(): Promise<boolean> {
    const context = await this.#sound.context();
    if (!this.#node) {
      this.#node = new AudioWorkletNode(context, "player", { numberOfInputs: 0, outputChannelCount: [1] });
      this.#node.port.onmessage = ({ data }) => this.#hear(data);
      const out = context.createMediaStreamDestination();
      this.#node.connect(out);
      this.#element = new Audio();
      this.#element.srcObject = out.stream;
      // A call, or another program, may take the sound away and give it back.
      context.addEventListener("statechange", () => this.#lookAt(context));
      if (this.#sink) void this.sendTo(this.#sink);
    }
    await this.#element?.play().catch(() => undefined);
    return this.#lookAt(context);
  }

  #lookAt({ state }: AudioContext): boolean {
    const isHeard = state === "running" && this.#element?.paused === false;
    this.#listener.blocked(!isHeard);
    return isHeard;
  }

  /** Where sound comes out, now or once there is any; false where the browser does not let one choose. */
  async sendTo(deviceId: string): Promise<boolean> {
    this.#sink = deviceId;
    const element = this.#element as (HTMLAudioElement & { setSinkId?(id: string): Promise<void> }) | null;
    if (!element?.setSinkId) return false;
    return element.setSinkId(deviceId).then(
      () => true,
      () => false,
    );
  }

  /** `isRest`: it does not begin with its first word, so it is not kept for hearing all of it again. */
  begin(message: string, { sample_rate }: Payload<"assistant_audio.start">, isRest = false): void {
    this.#spoken.delete(message);
    const nothingYet = { marks: [], pieces: [], isWhole: false, isCut: false, isLost: false };
    this.#spoken.set(message, { rate: sample_rate, isRest, ...nothingYet });
    this.#coming = message;
    for (const old of [...this.#spoken.keys()].slice(0, -KEPT)) this.#spoken.delete(old);
    this.#softness = 1;
    this.level(1);
  }

  play(message: string, chunk: Payload<"assistant_audio.chunk">): void {
    const spoken = this.#spoken.get(message);
    const samples = decoded(chunk.pcm16_b64);
    if (!spoken || !samples.length) return;
    const { start_ms: atMs, duration_ms, text_start: from, text_end: to } = chunk;
    spoken.marks.push({ atMs, endMs: atMs + duration_ms, from, to });
    spoken.pieces.push({ atMs, samples });
    if (!spoken.isCut) this.#hand(message, atMs, spoken.rate, samples);
  }

  /** No more of this message comes. */
  end(message: string, isInterrupted: boolean): void {
    const spoken = this.#spoken.get(message);
    if (spoken) spoken.isWhole = !isInterrupted && !spoken.isRest && !spoken.isLost;
    if (this.#coming === message) this.#coming = "";
    if (isInterrupted) void this.cut();
    else if (!spoken?.isCut) this.#node?.port.postMessage({ do: "end", message });
  }

  /** Played more softly while somebody may be interrupting. */
  level(gain: number): void {
    this.#level = gain;
    this.#turn();
  }

  /** The same from this side of the wire, where somebody is heard first. */
  soften(softness: number): void {
    this.#softness = softness;
    this.#turn();
  }

  #turn(): void {
    const gain = Math.min(this.#level, this.#softness) * this.volume;
    this.#node?.port.postMessage({ do: "gain", gain });
  }

  /** A soft tone, to hear whether anything is heard. */
  tone(): void {
    const rate = 24_000;
    const samples = Float32Array.from({ length: rate / 2 }, (_, at) => {
      const swell = Math.sin((Math.PI * at) / (rate / 2));
      return 0.2 * swell * Math.sin((2 * Math.PI * 523 * at) / rate);
    });
    this.#hand("tone", 0, rate, samples);
    this.#node?.port.postMessage({ do: "end", message: "tone" });
  }

  /** Whether it can be heard again without asking for it. */
  has(message: string): boolean {
    return this.#spoken.get(message)?.isWhole ?? false;
  }

  /** Says it once more out of what was kept. */
  again(message: string): boolean {
    const spoken = this.#spoken.get(message);
    if (!spoken?.isWhole || !this.#node) return false;
    this.level(1);
    for (const { atMs, samples } of spoken.pieces) this.#hand(message, atMs, spoken.rate, samples);
    this.#node.port.postMessage({ do: "end", message });
    return true;
  }

  /** Silent at once; says how much was heard, and how long it took to fall silent. */
  cut(): Promise<Position> {
    const coming = this.#spoken.get(this.#coming);
    if (coming) coming.isCut = true;
    if (!this.#node || !this.#playing) return Promise.resolve(this.#position);
    this.#cutting ??= this.#fallSilent(this.#node.port);
    return this.#cutting;
  }

  #fallSilent(player: MessagePort): Promise<Position> {
    const id = ++this.#cuts;
    player.postMessage({ do: "cut", id });
    // Where sound stands still nobody answers, and nothing is heard.
    const isRunning = this.#sound.made?.state === "running";
    setTimeout(() => this.#isCut(id, this.#position), isRunning ? CUT_WITHIN_MS : 0);
    return new Promise((resolve) => {
      this.#onCut = resolve;
    });
  }

  #isCut(id: number, position: Position): void {
    if (!this.#cutting || id !== this.#cuts) return;
    this.#playing = "";
    this.#softness = 1;
    this.#position = position;
    this.#cutting = null;
    this.#listener.stopped(position, true);
    this.#onCut?.(position);
  }

  /** Nothing more comes of what was being said; what is here is played to its end. */
  lost(): void {
    const spoken = this.#spoken.get(this.#coming);
    if (spoken && !spoken.isCut) {
      spoken.isLost = true;
      this.#node?.port.postMessage({ do: "end", message: this.#coming });
    }
    this.#coming = "";
  }

  #hand(message: string, atMs: number, rate: number, samples: Float32Array): void {
    if (!this.#node) return;
    this.#playing = message;
    this.#node.port.postMessage({ do: "play", piece: { message, atMs, rate, samples } });
  }

  #hear(heard: Heard): void {
    switch (heard.told) {
      case "position":
        this.#position = this.#at(heard.message, heard.heardMs);
        this.#listener.moved(this.#position, heard.loudest);
        break;
      case "dry":
        this.#listener.stalled();
        break;
      case "finished":
        this.#playing = "";
        this.#softness = 1;
        this.#listener.stopped(
          this.#spoken.get(heard.message)?.isLost
            ? this.#position
            : { ...this.#position, message: heard.message, heardChars: Number.POSITIVE_INFINITY },
          false,
        );
        break;
      case "cut":
        this.#isCut(heard.id, heard.message ? this.#at(heard.message, heard.heardMs) : this.#position);
        break;
    }
  }

  #at(message: string, heardMs: number): Position {
    const marks = this.#spoken.get(message)?.marks ?? [];
    let heardChars = 0;
    for (const { atMs, endMs, from, to } of marks) {
      if (atMs > heardMs) break;
      const share = endMs > atMs ? Math.min(1, (heardMs - atMs) / (endMs - atMs)) : 1;
      if (to > from) heardChars = Math.max(heardChars, from + Math.round((to - from) * share));
    }
    return { message, heardMs: Math.round(heardMs), heardChars };
  }
}

/** Nothing, where it is no sound. */
function decoded(base64: string): Float32Array {
  let text = "";
  try {
    text = atob(base64);
  } catch {
    return new Float32Array();
  }
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, at) => view.getInt16(at * 2, true) / 32768);
}
