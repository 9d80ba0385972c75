import { describe, expect, it } from "vitest";
import type { TurnState } from "../../sdk/wire.gen.ts";
import { ARROWS, changesOf, mayBecome, PLACES } from "./states.ts";
import type { Frame } from "./tape.ts";

const change = (number: number, from: TurnState, to: TurnState): Frame =>
  ({
    number,
    way: "in",
    at: 0,
    type: "state.change",
    turn: "turn_1",
    body: { event_type: "state.change", ts: "", payload: { from, to, reason: "" } },
  }) as unknown as Frame;

describe("states", () => {
  it("follow the diagram", () => {
    expect(ARROWS.every(([from, to]) => mayBecome(from, to))).toBe(true);
    expect(mayBecome("idle", "speaking")).toBe(false);
    expect(mayBecome("thinking", "cancelled")).toBe(true);
    expect(mayBecome("idle", "cancelled")).toBe(false);
  });

  it("stand each in a place of its own", () => {
    const places = Object.values(PLACES).map(({ column, row }) => `${column} ${row}`);
    expect(new Set(places).size).toBe(10);
  });

  it("are told newest first, and what is not drawn is marked", () => {
    const changes = changesOf([change(1, "idle", "listening"), change(2, "listening", "speaking")]);
    expect(changes.map(({ number, isLegal }) => [number, isLegal])).toEqual([
      [2, false],
      [1, true],
    ]);
  });
});
