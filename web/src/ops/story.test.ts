import { describe, expect, it } from "vitest";
import type { AuditLine } from "./figures.ts";
import { storyOf } from "./story.ts";

const line = (number: number, what: string, more: Partial<AuditLine> = {}): AuditLine => ({
  number,
  what,
  at: `2026-01-17T12:00:0${number}Z`,
  user: "user_1",
  tool: "gmail.send",
  turn: "turn_1",
  confirmation: "cr_1",
  revision: 1,
  seal: "a",
  hash: "h",
  ...more,
});

describe("the story of a write", () => {
  it("goes from its card to its outcome, however the lines lie", () => {
    const lines = [
      line(4, "confirmed"),
      line(1, "asked"),
      line(3, "dispatching"),
      line(2, "accepted", { why: "voice" }),
    ];
    expect(storyOf(lines)).toEqual({
      tool: "gmail.send",
      turn: "turn_1",
      askedAt: "2026-01-17T12:00:01Z",
      decision: { what: "accepted", how: "voice", at: "2026-01-17T12:00:02Z", revision: 1 },
      outcome: { what: "confirmed", at: "2026-01-17T12:00:04Z", why: "" },
      attempts: 1,
      isSame: true,
    });
  });

  it("shows when something else was done than was shown", () => {
    expect(storyOf([line(1, "asked"), line(2, "accepted"), line(3, "dispatching", { seal: "b" })])?.isSame).toBe(false);
  });

  it("says nothing of what has not happened", () => {
    expect(storyOf([])).toBeNull();
    const open = storyOf([line(1, "asked")]);
    expect([open?.decision, open?.outcome, open?.isSame, open?.attempts]).toEqual([undefined, undefined, undefined, 0]);
    expect(storyOf([line(1, "asked"), line(2, "rejected")])?.isSame).toBeUndefined();
  });
});
