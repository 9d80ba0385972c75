// @ts-check
/// <reference lib="webworker" />
/** Runs beside the page: hands the microphone's samples on, a fiftieth of a second at a time. */

// eslint-disable-next-line no-undef
const Processor = /** @type {any} */ (globalThis).AudioWorkletProcessor;
const rate = /** @type {any} */ (globalThis).sampleRate;

class Capture extends Processor {
  #samples = new Int16Array(Math.round(rate / 50));
  #taken = 0;
  #loudest = 0;

  /** @param {Float32Array[][]} inputs */
  process([input]) {
    for (const sample of input?.[0] ?? []) {
      this.#samples[this.#taken] = Math.max(-1, Math.min(1, sample)) * 32767;
      this.#loudest = Math.max(this.#loudest, Math.abs(sample));
      this.#taken += 1;
      if (this.#taken === this.#samples.length) this.#handOn();
    }
    return true;
  }

  #handOn() {
    const pcm = this.#samples.slice().buffer;
    /** @type {any} */ (this).port.postMessage({ pcm, loudest: this.#loudest }, [pcm]);
    this.#taken = 0;
    this.#loudest = 0;
  }
}

/** @type {any} */ (globalThis).registerProcessor("capture", Capture);
