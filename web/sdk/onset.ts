/**
 * Whether somebody has begun to talk over the voice, as far as loudness tells. It only
 * lowers the voice, at once and before the server has heard anything; whether it falls
 * silent is decided where words are understood.
 */

/** What is louder than the room by this much, and loud at all, may be somebody. */
const ABOVE_THE_ROOM = 4;
const LOUD = 0.03;
/** So much of the voice itself may come back through the room. */
const ECHO_SHARE = 0.2;
/** So many frames in a row: a click is shorter. */
const FRAMES = 2;
/** After so long without anything loud it was nothing. */
const OVER_AFTER_MS = 500;
/** How quickly the room is learned, louder and softer, a frame. */
const RISES = 0.02;
const FALLS = 0.2;

export class Onset {
  #room = 0.005;
  #loudFrames = 0;
  #loudAt = 0;
  isTalking = false;

  /** A frame of the microphone while the voice is so loud. True when that changed what is thought of it. */
  hear(loudest: number, voice: number, nowMs: number): boolean {
    const isLoud = loudest > Math.max(LOUD, this.#room * ABOVE_THE_ROOM, voice * ECHO_SHARE);
    if (!isLoud) this.#room += (loudest - this.#room) * (loudest > this.#room ? RISES : FALLS);
    this.#loudFrames = isLoud ? this.#loudFrames + 1 : 0;
    if (isLoud) this.#loudAt = nowMs;
    const was = this.isTalking;
    if (this.#loudFrames >= FRAMES) this.isTalking = true;
    else if (nowMs - this.#loudAt > OVER_AFTER_MS) this.isTalking = false;
    return was !== this.isTalking;
  }

  /** Nobody is listened to any more. */
  forget(): void {
    this.#loudFrames = 0;
    this.isTalking = false;
  }
}
