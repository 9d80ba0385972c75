/**
 * Runs beside the page: plays what it is handed, in order, and says where it is.
 *
 * It begins when a cushion is there, waits when it runs dry, and falls silent within a
 * few samples when it is cut. Positions are counted in samples that really went out.
 */

type Piece = { message: string; atMs: number; rate: number; samples: Float32Array };
type Order =
  | { do: "play"; piece: Piece }
  | { do: "end"; message: string }
  | { do: "cut"; id: number }
  | { do: "gain"; gain: number };

/** Enough for pieces to arrive a little late. */
const CUSHION_S = 0.06;
const REPORT_S = 0.05;
const FADE_S = 0.005;
const GAIN_S = 0.03;
/** Samples on each side that a sample between two others is made of. */
const REACH = 8;

class Player extends AudioWorkletProcessor {
  #queue: Piece[] = [];
  /** Where in the first piece we are, in its own samples. */
  #at = 0;
  #ended = new Set<string>();
  #isFlowing = false;
  /** The message of which all that came was played, and more is to come. */
  #dry = "";
  #gain = 1;
  #goal = 1;
  #fade = 0;
  #cutId = 0;
  #loudest = 0;
  #sinceReport = 0;
  #last = { message: "", heardMs: 0 };

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<Order>) => this.#obey(data);
  }

  #obey(order: Order): void {
    switch (order.do) {
      case "play":
        this.#queue.push(order.piece);
        break;
      case "end":
        // Where it has run dry already, that was all of it.
        if (!this.#queue.length && this.#dry === order.message) this.#finish(order.message);
        else this.#ended.add(order.message);
        break;
      case "gain":
        this.#goal = order.gain;
        break;
      case "cut":
        this.#cutId = order.id;
        this.#fade = this.#queue.length && this.#isFlowing ? Math.ceil(FADE_S * sampleRate) : 0;
        if (!this.#fade) this.#cut();
        break;
    }
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const out = output?.[0];
    if (!out) return true;
    if (!this.#isFlowing && this.#isCushioned()) this.#isFlowing = true;
    for (let i = 0; i < out.length; i += 1) out[i] = this.#next();
    this.#sinceReport += out.length;
    if (this.#sinceReport >= REPORT_S * sampleRate) this.#report();
    return true;
  }

  #next(): number {
    this.#gain += (this.#goal - this.#gain) / (GAIN_S * sampleRate);
    const piece = this.#queue[0];
    if (!piece || !this.#isFlowing) return 0;
    let sample = this.#between(piece) * this.#gain;
    if (this.#fade) {
      sample *= this.#fade / (FADE_S * sampleRate);
      this.#fade -= 1;
      if (!this.#fade) {
        // What comes after it would be told as if it still sounded.
        this.#cut();
        return sample;
      }
    }
    this.#loudest = Math.max(this.#loudest, Math.abs(sample));
    this.#at += piece.rate / sampleRate;
    if (this.#at >= piece.samples.length) this.#turnPage(piece);
    return sample;
  }

  #turnPage(piece: Piece): void {
    this.#at -= piece.samples.length;
    this.#queue.shift();
    this.#last = { message: piece.message, heardMs: piece.atMs + (piece.samples.length / piece.rate) * 1000 };
    if (this.#queue.length) return;
    this.#at = 0;
    this.#isFlowing = false;
    this.#report();
    if (this.#ended.delete(piece.message)) this.#finish(piece.message);
    else {
      this.#dry = piece.message;
      this.port.postMessage({ told: "dry", message: piece.message });
    }
  }

  #finish(message: string): void {
    this.#dry = "";
    this.port.postMessage({ told: "finished", message });
  }

  /** Band-limited: a sample between two others, out of those around it, also of the next piece. */
  #between(piece: Piece): number {
    const whole = Math.floor(this.#at);
    const part = this.#at - whole;
    if (part === 0) return piece.samples[whole] ?? 0;
    let sum = 0;
    for (let k = 1 - REACH; k <= REACH; k += 1) sum += this.#sample(piece, whole + k) * kernel(k - part);
    return sum;
  }

  #sample(piece: Piece, at: number): number {
    if (at < 0) return 0;
    if (at < piece.samples.length) return piece.samples[at] ?? 0;
    return this.#queue[1]?.samples[at - piece.samples.length] ?? 0;
  }

  #isCushioned(): boolean {
    const [first] = this.#queue;
    if (!first) return false;
    const heldS = this.#queue.reduce((sum, { samples, rate }) => sum + samples.length / rate, 0);
    return heldS >= CUSHION_S || this.#ended.has(first.message);
  }

  #cut(): void {
    const { message, heardMs } = this.#position();
    this.#last = { message, heardMs };
    this.#queue = [];
    this.#ended.clear();
    this.#dry = "";
    this.#at = 0;
    this.#fade = 0;
    this.#isFlowing = false;
    this.#gain = this.#goal = 1;
    this.#loudest = 0;
    this.port.postMessage({ told: "cut", id: this.#cutId, message, heardMs });
  }

  #position(): { message: string; heardMs: number } {
    const piece = this.#queue[0];
    if (!piece) return this.#last;
    return { message: piece.message, heardMs: piece.atMs + (this.#at / piece.rate) * 1000 };
  }

  #report(): void {
    this.#sinceReport = 0;
    if (!this.#queue.length && this.#loudest === 0) return;
    this.port.postMessage({ told: "position", ...this.#position(), loudest: this.#loudest });
    this.#loudest = 0;
  }
}

/** A sinc under a raised cosine, looked up: a fine enough table of one half. */
const FINENESS = 256;
const KERNEL = Float32Array.from({ length: REACH * FINENESS + 1 }, (_, at) => {
  const t = (Math.PI * at) / FINENESS;
  return at === 0 ? 1 : (Math.sin(t) / t) * (0.5 + 0.5 * Math.cos(t / REACH));
});

function kernel(x: number): number {
  return KERNEL[Math.round(Math.abs(x) * FINENESS)] ?? 0;
}

registerProcessor("player", Player);
