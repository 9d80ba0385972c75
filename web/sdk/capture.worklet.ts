/** Runs beside the page: hands the microphone's samples on, a fiftieth of a second at a time. */

const FRAMES_A_SECOND = 50;

class Capture extends AudioWorkletProcessor {
  #samples = new Int16Array(Math.round(sampleRate / FRAMES_A_SECOND));
  #taken = 0;
  #loudest = 0;
  #isOver = false;

  constructor() {
    super();
    // Whoever has closed the microphone says so, or this would run for as long as the page.
    this.port.onmessage = () => {
      this.#isOver = true;
    };
  }

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#samples[this.#taken] = Math.max(-1, Math.min(1, sample)) * 32767;
      this.#loudest = Math.max(this.#loudest, Math.abs(sample));
      this.#taken += 1;
      if (this.#taken === this.#samples.length) this.#handOn();
    }
    return !this.#isOver;
  }

  #handOn(): void {
    const pcm = this.#samples.slice().buffer;
    this.port.postMessage({ pcm, loudest: this.#loudest }, [pcm]);
    this.#taken = 0;
    this.#loudest = 0;
  }
}

registerProcessor("capture", Capture);
