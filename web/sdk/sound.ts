/** The one audio context of a page: made in the hands of a person, shared by microphone and speaker. */
import captureUrl from "./capture.worklet.ts?worker&url";
import playerUrl from "./player.worklet.ts?worker&url";

/** What the server takes. */
const FASTEST_HZ = 48_000;

export class Sound {
  #context: Promise<AudioContext> | null = null;
  #made: AudioContext | null = null;

  /** Ready to hear and to speak. Call it from a click or a key, or it stays suspended. */
  async context(): Promise<AudioContext> {
    this.#context ??= make();
    const context = await this.#context.catch((error) => {
      this.#context = null;
      throw error;
    });
    this.#made = context;
    // On some phones it is also "interrupted".
    if (context.state !== "running") await Promise.race([context.resume(), new Promise((go) => setTimeout(go, 400))]);
    return context;
  }

  /** Gives the sound card back. */
  async close(): Promise<void> {
    await this.#made?.close();
    this.#context = this.#made = null;
  }

  /** The context, where there is one already. */
  get made(): AudioContext | null {
    return this.#made;
  }
}

/** As the sound card likes it, unless that is faster than anybody hears. */
async function make(): Promise<AudioContext> {
  let context = new AudioContext({ latencyHint: "interactive" });
  if (context.sampleRate > FASTEST_HZ || context.sampleRate % 50 !== 0) {
    await context.close();
    context = new AudioContext({ latencyHint: "interactive", sampleRate: FASTEST_HZ });
  }
  await Promise.all([captureUrl, playerUrl].map((url) => context.audioWorklet.addModule(url)));
  return context;
}
