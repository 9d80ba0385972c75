/** What the line says, and what Stop stops: the voice, the work, or nothing but the card that waits. */
import { expect, test } from "vitest";
import { turn } from "../gallery/samples.ts";
import { type Seen, statusOf } from "./status.ts";

const WAITING: Seen = {
  turn: turn("awaiting_confirmation"),
  isWorking: false,
  refusal: "Don’t send",
  isLive: true,
  mic: "open",
  style: "auto",
  isHeld: false,
  quietMs: 0,
  isChoosing: false,
  hasKeys: true,
  isVoiceOn: false,
  isStalled: false,
  wasStopped: false,
  sinceMs: 0,
  steps: null,
};

test("Stop on a card that waits says no to it, by name", () => {
  expect(statusOf(WAITING).stop).toEqual({ means: "Don’t send" });
});

test("Stop while the question is spoken only stops the voice", () => {
  expect(statusOf({ ...WAITING, isVoiceOn: true }).stop).toEqual({ means: "" });
});

test("Stop while something else works only stops that", () => {
  expect(statusOf({ ...WAITING, isWorking: true }).stop).toEqual({ means: "" });
});

test("nothing can be stopped that nobody is there to hear of", () => {
  expect(statusOf({ ...WAITING, isLive: false }).stop).toBeNull();
});

test("an open microphone that hears nobody for a while says that there is no hurry", () => {
  const idle: Seen = { ...WAITING, turn: null, refusal: "" };

  expect(statusOf(idle).words).toBe("Listening");
  expect(statusOf({ ...idle, quietMs: 8001 }).words).toBe("I’m here when you’re ready");
  expect(statusOf({ ...idle, mic: "off", quietMs: 8001 }).words).toBe("Ready");
});

test("while nothing is taken nobody is told that it is: Hold and Tap say what they wait for", () => {
  const idle: Seen = { ...WAITING, turn: null, refusal: "", mic: "hearing", quietMs: 9000 };
  const hold: Seen = { ...idle, style: "hold" };

  expect(statusOf(hold)).toMatchObject({ words: "Hold the button or Space to talk", looks: "still" });
  expect(statusOf({ ...hold, hasKeys: false }).words).toBe("Hold the button to talk");
  expect(statusOf({ ...idle, style: "tap" })).toMatchObject({ words: "Tap to talk", looks: "still" });
  expect(statusOf({ ...hold, isHeld: true, quietMs: 0 })).toMatchObject({ words: "Listening", looks: "listening" });
  expect(statusOf({ ...hold, mic: "muted" }).words).toBe("Muted – type or unmute");
});

test("what is said to interrupt the voice is what this person can do", () => {
  const speaking: Seen = { ...WAITING, isVoiceOn: true };

  expect(statusOf(speaking).words).toBe("Speaking – talk, tap or Esc to interrupt");
  expect(statusOf({ ...speaking, hasKeys: false }).words).toBe("Speaking – talk or tap to interrupt");
  expect(statusOf({ ...speaking, hasKeys: false, mic: "off" }).words).toBe("Speaking – tap to interrupt");
  expect(statusOf({ ...speaking, style: "hold" }).words).toBe("Speaking – tap or Esc to interrupt");
  expect(statusOf(speaking).isHushable).toBe(true);
  expect(statusOf(WAITING).isHushable).toBe(false);
});

test("while a choice waits, the line asks for it", () => {
  const choosing: Seen = { ...WAITING, turn: null, refusal: "", mic: "off", isChoosing: true };

  expect(statusOf(choosing)).toMatchObject({ words: "Which one?", tone: "asking", stop: null });
  expect(statusOf({ ...choosing, isLive: false }).words).toBe("You can keep typing");
});
