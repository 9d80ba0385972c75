import { expect, test } from "vitest";
import { newMessage } from "../items.ts";
import { hasRest, isBrokenOff, sentenceAt, wordAt } from "./KaraokeText.tsx";

const TEXT = "Checking tomorrow. Four meetings: lunch at 12, and one more? Yes.";

test.each([
  ["word", wordAt],
  ["sentence", sentenceAt],
] as const)("wherever the voice is, the three parts around the %s are the text, once", (_, place) => {
  for (let at = 0; at <= TEXT.length; at += 1) {
    const [from, to] = place(TEXT, at);
    expect(TEXT.slice(0, from) + TEXT.slice(from, to) + TEXT.slice(to)).toBe(TEXT);
    expect(from).toBeLessThanOrEqual(to);
  }
});

test("between two words, the next one is being said", () => {
  const [from, to] = wordAt(TEXT, TEXT.indexOf(" tomorrow"));
  expect(TEXT.slice(from, to)).toBe("tomorrow.");
});

test("an answer is called stopped until the voice goes on with it, and not when all of it was heard", () => {
  const message = { ...newMessage({ message_id: "msg_1", ts: "" }, "assistant", "stopped"), text: "One. Two." };
  const spoken = { heardChars: 5, mode: "karaoke" } as const;

  expect(isBrokenOff({ ...message, heardChars: 5 }, null)).toBe(true);
  expect(isBrokenOff({ ...message, heardChars: 5 }, spoken)).toBe(false);
  expect(isBrokenOff({ ...message, heardChars: 9 }, null)).toBe(false);
  expect(isBrokenOff({ ...message, heardChars: null }, null)).toBe(true);
  expect(isBrokenOff({ ...message, phase: "settled" }, null)).toBe(false);
});

test("an answer whose listener was lost has a rest, and was stopped by nobody", () => {
  const message = { ...newMessage({ message_id: "msg_1", ts: "" }, "assistant", "settled"), text: "One. Two." };
  const lost = { ...message, isLost: true, heardChars: 5 };

  expect([hasRest(lost), isBrokenOff(lost, null)]).toEqual([true, false]);
  expect([hasRest({ ...lost, heardChars: 9 }), hasRest({ ...message, heardChars: 5 })]).toEqual([false, false]);
  expect(hasRest({ ...lost, phase: "growing" })).toBe(false);
});
