/** What is held back of a draft, and what is not. */
import { expect, test } from "vitest";
import { repeatsOneWord } from "./stutter.ts";

test("one word over and over says nothing yet", () => {
  expect(repeatsOneWord("What, what, what")).toBe(true);
  expect(repeatsOneWord("I I")).toBe(true);
});

test("one word, or a second one, is worth reading", () => {
  expect(repeatsOneWord("What")).toBe(false);
  expect(repeatsOneWord("What, what meetings")).toBe(false);
  expect(repeatsOneWord("")).toBe(false);
});
