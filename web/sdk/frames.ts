/**
 * What the microphone said, on its way out. The server reads sound only on a connection
 * that was told what it is; until then, and while nobody is there, it is kept here.
 */

/** Ten seconds of it; more than that is not worth hearing late. */
const MOST_KEPT = 500;

export class Frames {
  readonly #send: (pcm: ArrayBuffer) => boolean;
  readonly #lost: () => void;
  #isAnnounced = false;
  #kept: ArrayBuffer[] = [];

  /** `send` is false while nobody is there; `lost` is told that too much was kept. */
  constructor(send: (pcm: ArrayBuffer) => boolean, lost: () => void) {
    this.#send = send;
    this.#lost = lost;
  }

  /** This connection was told that sound comes, or is gone, or was told that none comes. */
  announce(isAnnounced: boolean): void {
    this.#isAnnounced = isAnnounced;
    if (!isAnnounced) return;
    const kept = this.#kept;
    this.#kept = [];
    for (const pcm of kept) this.take(pcm);
  }

  take(pcm: ArrayBuffer): void {
    if (this.#isAnnounced && this.#send(pcm)) return;
    this.#kept.push(pcm);
    if (this.#kept.length <= MOST_KEPT) return;
    this.drop();
    this.#lost();
  }

  /** The microphone is off: what was not taken yet is nobody's business any more. */
  drop(): void {
    this.#kept = [];
  }
}
