/** What stands below an answer: the rest of what it named, never what the work has used up. */
import { expect, test } from "vitest";
import { DAYS, DRAFT, MAILS, REMINDER, tool } from "../gallery/samples.ts";
import { foundBy } from "./Found.tsx";

const FEW = tool({ id: "few" });
const READ = tool({ id: "read", name: "gmail.get_message", output: { message: {}, body_text: "Hello" } });

test("a list that is longer than an answer tells is shown", () => {
  expect(foundBy([FEW, MAILS, DAYS])).toEqual([MAILS, DAYS]);
});

test("a short list was told whole", () => {
  expect(foundBy([FEW])).toEqual([]);
});

test("mails that were looked through to read one of them are not what was asked for", () => {
  expect(foundBy([MAILS, READ])).toEqual([]);
});

test("of a draft that goes nowhere the draft is shown, and not what was looked up for it", () => {
  expect(foundBy([MAILS, DRAFT])).toEqual([DRAFT]);
});

test("what was done needs no list", () => {
  expect(foundBy([MAILS, REMINDER])).toEqual([]);
});
