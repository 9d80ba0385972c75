/**
 * The microphone. What it says about itself is measured: `hearing` means that sound
 * arrives, `muted` that none is handed on. Off means off: the track is stopped.
 */
import type { Sound } from "./sound.ts";
import { type Trouble, type TroubleKind, trouble, troubleOf } from "./trouble.ts";

export type MicState = "off" | "asking" | "denied" | "no-device" | "muted" | "open" | "hearing";

export type MicListener = {
  changed(state: MicState, trouble: Trouble | null): void;
  /** A fiftieth of a second of sound, and how loud it was. Not while muted. */
  frame(pcm: ArrayBuffer, loudest: number): void;
  /** How loud it is, also while muted. */
  level(loudest: number): void;
};

const FRAMES_MISSING_MS = 1500;
const SILENT_MS = 5000;
const FLAT = 0.0004;
const HEARING = 0.02;

type Open = { context: AudioContext; stream: MediaStream; source: AudioNode; capture: AudioWorkletNode };

export class Mic {
  state: MicState = "off";
  trouble: Trouble | null = null;
  readonly #sound: Sound;
  readonly #listener: MicListener;
  #open: Open | null = null;
  #isMuted = false;
  #frameAt = 0;
  #loudAt = 0;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(sound: Sound, listener: MicListener) {
    this.#sound = sound;
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  get isMuted(): boolean {
    return this.#isMuted;
  }

  get sampleRate(): number {
    return this.#open?.context.sampleRate ?? 0;
  }

  get device(): string {
    return this.#open?.stream.getAudioTracks()[0]?.label ?? "";
  }

  /** Call it from a click or a key. True when it is open. `why` is what happened to the one before. */
  async open(deviceId = "", why: Trouble | null = null): Promise<boolean> {
    if (this.#open || this.state === "asking") return this.#open !== null;
    if (!navigator.mediaDevices) return this.#fail(trouble("insecure_context"));
    this.#become("asking", why);
    const stream = await this.#ask(deviceId);
    if (!stream) return false;
    try {
      const context = await this.#sound.context();
      const source = context.createMediaStreamSource(stream);
      const capture = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
      capture.port.onmessage = ({ data }) => this.#frame(data);
      source.connect(capture);
      this.#open = { context, stream, source, capture };
    } catch {
      for (const track of stream.getTracks()) track.stop();
      return this.#fail(trouble("worklet_failed"));
    }
    for (const track of stream.getTracks()) track.onended = () => this.#gone();
    this.#frameAt = this.#loudAt = performance.now();
    this.#watch = setInterval(() => this.#look(), 500);
    this.#become(this.#isMuted ? "muted" : "open", this.trouble);
    return true;
  }

  /** Really off: the browser's own sign goes out. Opened again, it is heard. */
  close(): void {
    if (!this.#open) return;
    const { stream, source, capture } = this.#open;
    this.#open = null;
    this.#isMuted = false;
    clearInterval(this.#watch);
    for (const track of stream.getTracks()) track.stop();
    source.disconnect();
    capture.port.onmessage = null;
    capture.port.postMessage("over");
    this.#become("off", null);
  }

  /** Nothing is handed on; the microphone stays granted. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (this.#open) this.#become(isMuted ? "muted" : "open", this.trouble);
  }

  async #ask(deviceId: string): Promise<MediaStream | null> {
    try {
      return await capture(deviceId);
    } catch (error) {
      const isGone = deviceId !== "" && ["OverconstrainedError", "NotFoundError"].includes((error as Error)?.name);
      if (!isGone) {
        this.#fail(troubleOf(error));
        return null;
      }
    }
    // The one that was chosen is gone: take the usual one, and say so.
    this.trouble = trouble("device_gone");
    try {
      return await capture("");
    } catch (error) {
      this.#fail(troubleOf(error));
      return null;
    }
  }

  #frame({ pcm, loudest }: { pcm: ArrayBuffer; loudest: number }): void {
    const now = performance.now();
    this.#frameAt = now;
    if (loudest > FLAT) this.#loudAt = now;
    this.#listener.level(loudest);
    if (this.#isMuted || !this.#open) return;
    this.#listener.frame(pcm, loudest);
    const state = loudest > HEARING ? "hearing" : "open";
    const why = this.#stillTrue(loudest);
    if (state !== this.state || why !== this.trouble) this.#become(state, why);
  }

  /** What is heard again is no trouble any more. */
  #stillTrue(loudest: number): Trouble | null {
    const kinds: TroubleKind[] = ["silent_input", "no_frames"];
    return this.trouble && kinds.includes(this.trouble.kind) && loudest > FLAT ? null : this.trouble;
  }

  #look(): void {
    if (!this.#open || this.#isMuted) return;
    const now = performance.now();
    const kind =
      now - this.#frameAt > FRAMES_MISSING_MS ? "no_frames" : now - this.#loudAt > SILENT_MS ? "silent_input" : null;
    if (kind && this.trouble?.kind !== kind) this.#become(this.state, trouble(kind, this.device));
  }

  /** The usual one takes its place, as muted as it was, and it is said. */
  #gone(): void {
    const isMuted = this.#isMuted;
    this.close();
    this.#isMuted = isMuted;
    void this.open("", trouble("device_gone"));
  }

  #fail(why: Trouble): false {
    const state =
      why.kind === "denied" || why.kind === "denied_by_system"
        ? "denied"
        : why.kind === "no_device"
          ? "no-device"
          : "off";
    this.#become(state, why);
    return false;
  }

  #become(state: MicState, why: Trouble | null): void {
    this.state = state;
    this.trouble = why;
    this.#listener.changed(state, why);
  }
}

function capture(deviceId: string): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  return navigator.mediaDevices.getUserMedia({ audio: deviceId ? { ...audio, deviceId: { exact: deviceId } } : audio });
}

export type Device = { id: string; label: string };

/** What sound can come from, or go to. Names are known once the microphone was allowed. */
export async function devices(kind: "audioinput" | "audiooutput"): Promise<Device[]> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const ones = all.filter((one) => one.kind === kind && one.deviceId !== "");
  return ones.map(({ deviceId, label }, at) => ({
    id: deviceId,
    label: label || `${kind === "audioinput" ? "Microphone" : "Speaker"} ${at + 1}`,
  }));
}
