/** Small sounds for what happened, each with a twin on the screen. Off where the person says so. */
import { prefs } from "./prefs.ts";

export type Cue = "open" | "ask" | "trouble";

/** Hertz and seconds. */
const NOTES: Record<Cue, [number, number][]> = {
  open: [[660, 0.07]],
  ask: [
    [587, 0.12],
    [784, 0.18],
  ],
  trouble: [[220, 0.2]],
};
const SOFT = 0.05;

let context: AudioContext | null = null;

export function cue(name: Cue): void {
  if (!prefs.value.cues || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  let at = context.currentTime + 0.01;
  for (const [frequency, seconds] of NOTES[name]) {
    const tone = new OscillatorNode(context, { frequency, type: "sine" });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setTargetAtTime(SOFT, at, 0.01);
    gain.gain.setTargetAtTime(0, at + seconds, 0.03);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds + 0.2);
    at += seconds;
  }
}
