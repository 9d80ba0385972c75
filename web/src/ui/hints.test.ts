/** What a card says can be said to it, and what is offered after a no. */
import { expect, test } from "vitest";
import { DOUBTFUL, EMAIL, EVENT, LINES, MEMORY } from "../gallery/samples.ts";
import { hintOf, offersAfterNo } from "./hints.ts";

const NOW = Date.parse("2026-11-15T14:02:00Z");

test("each kind of write names words for a yes, a change and a no", () => {
  expect(hintOf(EMAIL)).toBe("Say “send it”, “make the subject Lunch”, or “don’t send it”.");
  expect(hintOf(EVENT)).toBe("Say “create it”, “make it ten”, or “don’t create it”.");
  expect(hintOf(MEMORY)).toBe("Say “yes” or “don’t keep it”.");
  expect(hintOf(LINES)).toBe("Say “yes” or “no”.");
  expect(hintOf(DOUBTFUL)).toMatch(/has to name who it goes to/);
  expect(hintOf({ ...EMAIL, voice: "named" })).toMatch(/^Say “send it”.* A plain “yes” is too little here\.$/);
});

test("after a no, only what the server can take is offered", () => {
  expect(offersAfterNo(EVENT, NOW)).toEqual(["When am I free on Thursday 19 November?"]);
  expect(offersAfterNo(EMAIL, NOW)).toEqual([]);
  expect(offersAfterNo(MEMORY, NOW)).toEqual([]);
});
