import { describe, expect, it, vi } from "vitest";
import type { Envelope } from "../../sdk/wire.gen.ts";
import { Tape } from "./tape.ts";

const event = (number: number) =>
  ({
    event_id: `evt_${number}`,
    event_type: "turn.start",
    ts: "",
    session_id: "sess_1",
    epoch: 1,
    turn_id: "turn_1",
    role: "system",
    payload: { input_mode: "text" },
  }) as Envelope;

describe("the tape", () => {
  it("keeps the newest frames and numbers them for good", () => {
    const tape = new Tape();
    for (let number = 1; number <= 5000; number += 1) tape.heard(event(number), number);
    expect(tape.frames.length).toBeGreaterThanOrEqual(2000);
    expect(tape.frames.length).toBeLessThanOrEqual(2200);
    expect(tape.frames.at(-1)?.number).toBe(5000);
  });

  it("tells of much at once only once", () => {
    vi.useFakeTimers();
    const tape = new Tape();
    for (let number = 1; number <= 50; number += 1) tape.heard(event(number), number);
    vi.runAllTimers();
    expect(tape.changes.value).toBe(1);
    vi.useRealTimers();
  });

  it("remembers how loud each tenth of a second was, a minute of it", () => {
    const tape = new Tape();
    tape.loud("heard", 0.2, 1010);
    tape.loud("heard", 0.7, 1090);
    tape.loud("spoken", 0.4, 1095);
    tape.loud("heard", 0.1, 1100);
    expect(tape.beats).toEqual([
      { at: 1000, heard: 0.7, spoken: 0.4 },
      { at: 1100, heard: 0.1, spoken: 0 },
    ]);
    for (let at = 2000; at < 200_000; at += 100) tape.loud("heard", 0.1, at);
    expect(tape.beats.length).toBe(600);
  });

  it("knows when a message was first heard", () => {
    const tape = new Tape();
    tape.began("msg_1", 5);
    tape.began("msg_1", 9);
    tape.began("", 1);
    expect([...tape.played]).toEqual([["msg_1", 5]]);
  });
});
