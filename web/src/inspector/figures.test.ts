import { describe, expect, it } from "vitest";
import type { Waterfall } from "../watch/waterfall.ts";
import { figuresOf, median } from "./figures.ts";

const TURN: Waterfall = {
  turn_id: "turn_1",
  session_id: "sess_1",
  started_at: "2026-01-17T12:00:00Z",
  input_mode: "voice",
  outcome: "success",
  spans: [
    { kind: "understand", name: "", start_us: 1_200_000, end_us: 1_300_000 },
    { kind: "tool", name: "a", start_us: 1_300_000, end_us: 1_350_000 },
    { kind: "write", name: "b", start_us: 1_350_000, end_us: 1_360_000 },
    { kind: "tool", name: "open", start_us: 1_360_000 },
  ],
  marks: [
    { name: "end_of_speech", at_us: 1_000_000 },
    { name: "first_token", at_us: 1_250_000 },
    { name: "first_audio", at_us: 1_640_000 },
  ],
};

describe("figures of a turn", () => {
  it("are measured from what people did to what they got", () => {
    expect(figuresOf(TURN)).toEqual({ answer: 640, transcript: 200, first_word: 50, voice: 390, tools: 60 });
  });

  it("are absent where nothing was reached", () => {
    expect(figuresOf({ ...TURN, spans: [], marks: [] })).toEqual({});
    expect(figuresOf({ ...TURN, input_mode: "text", marks: [{ name: "first_token", at_us: 900 }], spans: [] })).toEqual(
      { first_word: 0.9 },
    );
  });

  it("have a median that was measured", () => {
    expect([median([]), median([7]), median([9, 1, 5]), median([1, 2, 3, 4])]).toEqual([undefined, 7, 5, 2]);
  });
});
