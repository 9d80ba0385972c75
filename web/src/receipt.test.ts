/** What a card and its receipt are called, and how it is taken back. */
import { expect, test } from "vitest";
import { EMAIL, EVENT, LINES, MEMORY } from "./gallery/samples.ts";
import { gist } from "./gist.ts";
import { undoWords, verbsOf } from "./receipt.ts";

test("taking back names what was noted", () => {
  expect(undoWords(MEMORY)).toBe("Forget that Tom is allergic to nuts");
  expect(undoWords(EMAIL)).toBe("");
});

test("a write that the page does not know is called as its question calls it", () => {
  expect(verbsOf(LINES)).toMatchObject({ accept: "Move it", reject: "Don’t move it", done: "Done" });
  expect(verbsOf({ ...LINES, title: "Shall I?" })).toMatchObject({ accept: "Do it", reject: "Don’t" });
});

test("of an event, when it is comes first, in one style", () => {
  expect(gist(EVENT)).toMatch(/^Thu, .*3:00 to 3:30 pm · Design review with Dana and Tom$/);
});
