/** What the microphone says about itself. */
import { beforeEach, expect, test, vi } from "vitest";
import { Mic, type MicState } from "./mic.ts";
import type { Sound } from "./sound.ts";

const track = { stop: () => undefined, label: "Desk", onended: null as (() => void) | null };
const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
const source = { connect: () => undefined, disconnect: () => undefined };
const sound = { context: async () => ({ sampleRate: 48_000, createMediaStreamSource: () => source }) };

beforeEach(() => {
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
  vi.stubGlobal(
    "AudioWorkletNode",
    class {
      port = { postMessage: () => undefined };
    },
  );
});

function setting() {
  const states: MicState[] = [];
  const listener = { changed: (state: MicState) => states.push(state), frame() {}, level() {} };
  return { states, mic: new Mic(sound as unknown as Sound, listener) };
}

test("a microphone that was muted and turned off is heard when it is opened again", async () => {
  const { states, mic } = setting();
  await mic.open();
  mic.mute(true);
  mic.close();

  await mic.open();
  mic.close();

  expect(states).toEqual(["asking", "open", "muted", "off", "asking", "open", "off"]);
});

test("a microphone that is muted before it is open hands nothing on", async () => {
  const { mic } = setting();
  mic.mute(true);

  await mic.open();

  expect([mic.state, mic.isMuted]).toEqual(["muted", true]);
  mic.close();
});

test("where a microphone is pulled out the usual one takes its place, and it is said", async () => {
  const { states, mic } = setting();
  await mic.open("headset");

  track.onended?.();
  await vi.waitFor(() => expect(mic.isOpen).toBe(true));

  expect([mic.state, mic.trouble?.kind]).toEqual(["open", "device_gone"]);
  expect(states).toEqual(["asking", "open", "off", "asking", "open"]);
  mic.close();
});
