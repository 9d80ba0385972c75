// @ts-check
/**
 * Plays what Sayso says, and knows how much of it was heard.
 *
 * @typedef {{ sample_rate: number }} Began
 * @typedef {{ pcm16_b64: string, start_ms: number, duration_ms: number, text_start: number, text_end: number }} Chunk
 * @typedef {{ messageId: string, rate: number, startsAt: number, heardMs: number, sentMs: number }} Playing
 */

import { link } from "./link.js";
import { newEventId } from "./wire.js";

/** Enough for chunks to arrive a little late. */
const CUSHION_S = 0.06;
const REPORT_EVERY_MS = 500;
const FADE_S = 0.03;

class Player {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {GainNode | null} */
  #volume = null;
  /** @type {Set<AudioBufferSourceNode>} */
  #sources = new Set();
  /** @type {Playing | null} */
  #playing = null;
  #reports = 0;
  /** When what is scheduled is over, by the clock of the context. */
  #endsAt = 0;

  /** Sound may begin only in the hands of a person: call it from a click. @param {AudioContext} context */
  use(context) {
    this.#context = context;
    this.#volume = context.createGain();
    this.#volume.connect(context.destination);
  }

  /** Whoever presses to hear something may do so without a microphone: call it from a click. */
  wake() {
    if (!this.#context || this.#context.state === "closed") this.use(new AudioContext());
    this.#context?.resume();
  }

  /** @param {Began} began @param {string} messageId */
  begin({ sample_rate }, messageId) {
    this.#playing = { messageId, rate: sample_rate, startsAt: 0, heardMs: 0, sentMs: 0 };
    this.level(1);
    clearInterval(this.#reports);
    this.#reports = setInterval(() => this.#report(), REPORT_EVERY_MS);
  }

  /** @param {Chunk} chunk @param {string} messageId */
  play({ pcm16_b64, start_ms, duration_ms }, messageId) {
    const [context, playing] = [this.#context, this.#playing];
    if (!context || !this.#volume || playing?.messageId !== messageId) return;
    const samples = decoded(pcm16_b64);
    if (!samples.length) return;
    const buffer = context.createBuffer(1, samples.length, playing.rate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(this.#volume);
    const due = playing.startsAt + start_ms / 1000;
    // What is late moves everything behind it.
    if (!playing.startsAt || due < context.currentTime) {
      const soonest = Math.max(context.currentTime + CUSHION_S, this.#endsAt);
      playing.startsAt = soonest - start_ms / 1000;
    }
    playing.sentMs = start_ms + duration_ms;
    this.#endsAt = playing.startsAt + playing.sentMs / 1000;
    source.start(playing.startsAt + start_ms / 1000);
    source.onended = () => this.#sources.delete(source);
    this.#sources.add(source);
  }

  /** @param {number} gain */
  level(gain) {
    if (this.#context) this.#volume?.gain.setTargetAtTime(gain, this.#context.currentTime, FADE_S);
  }

  /** How much of the message was heard, in milliseconds. */
  get heardMs() {
    const playing = this.#playing;
    if (!this.#context || !playing?.startsAt) return 0;
    const sinceStart = Math.round((this.#context.currentTime - playing.startsAt) * 1000);
    return Math.min(Math.max(0, sinceStart), playing.sentMs);
  }

  get isPlaying() {
    return this.#sources.size > 0;
  }

  /** Silent at once. */
  flush() {
    this.#end();
    for (const source of this.#sources) source.stop();
    this.#sources.clear();
    this.#endsAt = 0;
  }

  /** No more of this message comes. @param {boolean} isInterrupted */
  finish(isInterrupted) {
    if (isInterrupted) this.flush();
    else this.#end();
  }

  #end() {
    this.#report();
    clearInterval(this.#reports);
    this.#playing = null;
  }

  #report() {
    const [playing, heardMs] = [this.#playing, this.heardMs];
    if (!playing || heardMs <= playing.heardMs) return;
    playing.heardMs = heardMs;
    link.send(newEventId(), "playback.progress", { message_id: playing.messageId, heard_ms: heardMs });
  }
}

/** @param {string} base64 */
function decoded(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, at) => view.getInt16(at * 2, true) / 32768);
}

export const player = new Player();
