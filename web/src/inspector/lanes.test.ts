import { describe, expect, it } from "vitest";
import { hushesOf, jitterOf } from "./lanes.ts";
import type { Frame } from "./tape.ts";

const frame = (at: number, event_type: string, payload: object, message_id = "msg_1"): Frame =>
  ({
    number: at,
    way: "in",
    at,
    type: event_type,
    turn: "",
    body: { event_type, payload, message_id },
  }) as unknown as Frame;
const level = (at: number, gain: number) => frame(at, "assistant_audio.level", { gain });
const chunk = (at: number, start_ms: number, message?: string) =>
  frame(at, "assistant_audio.chunk", { start_ms }, message);

describe("lanes", () => {
  it("tell a backchannel from an interruption", () => {
    const frames = [
      level(100, 0.2),
      level(300, 1),
      level(500, 0.2),
      frame(700, "assistant_audio.end", { interrupted: true }),
      level(900, 0.2),
    ];
    expect(hushesOf(frames, 1000)).toEqual([
      { from: 100, to: 300, kind: "backchannel" },
      { from: 500, to: 700, kind: "interruption" },
      { from: 900, to: 1000, kind: "open" },
    ]);
    expect(hushesOf([frame(5, "assistant_audio.end", {})], 9)).toEqual([]);
  });

  it("measure how unevenly sound comes, message by message", () => {
    expect(jitterOf([chunk(0, 0)])).toBeUndefined();
    expect(jitterOf([chunk(0, 0), chunk(20, 20), chunk(40, 40)])).toBe(0);
    expect(jitterOf([chunk(0, 0), chunk(36, 20)])).toBe(1);
    expect(jitterOf([chunk(0, 0), chunk(900, 0, "msg_2")])).toBeUndefined();
  });
});
