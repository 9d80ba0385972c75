/**
 * What the microphone said, on its way out. The server reads sound only on a connection
 * that was told what it is; until then, and while nobody is there, it is kept here.
 */

/** Ten seconds of it; more than that is not worth hearing late. */
const MOST_KEPT = 500;

/** That was all: it stands behind the sound that it ends. */
export const END = "end";

export class Frames {
  readonly #send: (one: ArrayBuffer | typeof END) => boolean;
  readonly #lost: () => void;
  #isAnnounced = false;
  #kept: (ArrayBuffer | typeof END)[] = [];

  /** `send` is false while nobody is there; `lost` is told that too much was kept. */
  constructor(send: (one: ArrayBuffer | typeof END) => boolean, lost: () => void) {
    this.#send = send;
    this.#lost = lost;
  }

  /** This connection was told that sound comes, or is gone, or was told that none comes. */
  announce(isAnnounced: boolean): void {
    this.#isAnnounced = isAnnounced;
    if (!isAnnounced) return;
    const kept = this.#kept;
    this.#kept = [];
    for (const one of kept) this.take(one);
  }

  take(one: ArrayBuffer | typeof END): void {
    if (this.#isAnnounced && this.#send(one)) return;
    this.#kept.push(one);
    if (this.#kept.length <= MOST_KEPT) return;
    this.drop();
    this.#lost();
  }

  /** The microphone is off: what was not taken yet is nobody's business any more. */
  drop(): void {
    this.#kept = [];
  }
}
