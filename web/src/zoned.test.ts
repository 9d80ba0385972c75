/** Clocks as people read them, and as the server is told of them. */
import { expect, test } from "vitest";
import { clockWords, readZoned, shownClock } from "./zoned.ts";

test("a clock is shown as people here read clocks, and said as Sayso says it", () => {
  const at = readZoned("2026-11-19T15:30:00-08:00[America/Los_Angeles]");
  if (!at) throw new Error("this browser knows that moment");
  expect([shownClock(at, true), shownClock(at, false), clockWords(at)]).toEqual(["15:30", "3:30 pm", "3:30 pm"]);
});
