/** Why a card stands there again after it was changed in place. */
import { expect, test } from "vitest";
import { secondLook } from "./confirming.ts";

test("a card that comes back only because of what was changed says so", () => {
  expect(secondLook(["attendees"], ["attendees"])).toMatch(/^Your change needs a second look/);
  expect(secondLook(["start", "end"], ["end", "start"])).toMatch(/^Your change needs a second look/);
});

test("where more is different than what was changed, that is what it says", () => {
  expect(secondLook(["attendees", "location"], ["attendees"])).toMatch(/something besides your change/);
});
