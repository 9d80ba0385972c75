import { describe, expect, it } from "vitest";
import { clockOf, type Family, familyOf, gistOf, jsonl, rowsOf } from "./rows.ts";
import type { Frame, Way } from "./tape.ts";

let number = 0;
function frame(type: string, payload: object = {}, way: Way = "in", turn = "turn_1"): Frame {
  number += 1;
  const body = {
    event_id: `evt_${number}`,
    event_type: type,
    payload,
    ...(way === "in" && { session_id: "sess_1", ts: "2026-01-17T12:00:00Z" }),
  };
  return { number, way, at: number, type, turn, body } as unknown as Frame;
}
const all = (search = "", ...families: Family[]) => ({ families: new Set(families), search });

describe("rows of events", () => {
  it("put runs of the same together and nothing else", () => {
    const frames = [
      frame("assistant_audio.chunk"),
      frame("assistant_audio.chunk"),
      frame("assistant_audio.chunk", {}, "in", "turn_2"),
      frame("turn.end"),
      frame("turn.end"),
    ];
    expect(rowsOf(frames, all()).map(({ times }) => times)).toEqual([2, 1, 1, 1]);
  });

  it("are chosen by family and searched by words of any case", () => {
    const frames = [
      frame("turn.start"),
      frame("tool_call.request", { tool_name: "gmail.Search" }),
      frame("error", { code: "timeout" }),
    ];
    expect(rowsOf(frames, all("", "tool", "error")).length).toBe(2);
    expect(rowsOf(frames, all("GMAIL.search"))[0]?.frame.type).toBe("tool_call.request");
    expect(rowsOf(frames, all("nothing of it"))).toEqual([]);
  });

  it("know the family of every kind", () => {
    const types = [
      "state.change",
      "text.input",
      "playback.progress",
      "tool_call.result",
      "confirmation.request",
      "confirm.response",
      "rate_limit",
      "session.ready",
    ];
    expect(types.map(familyOf)).toEqual([
      "turn",
      "transcript",
      "assistant",
      "tool",
      "confirm",
      "confirm",
      "error",
      "session",
    ]);
  });

  it("say in a few words what happened", () => {
    expect(gistOf(frame("state.change", { from: "idle", to: "listening", reason: "" }))).toBe("idle → listening");
    expect(gistOf(frame("tool_call.result", { ok: false, output: null }))).toBe("failed");
    expect(gistOf(frame("session.ready", {}))).toBe("");
  });
});

describe("an export", () => {
  it("is what the server said, one event a line, as it came", () => {
    const frames = [
      frame("turn.start", { input_mode: "text" }),
      frame("text.input", { text: "a\nb" }, "out"),
      frame("turn.end", { text: "x\ny" }),
    ];
    const lines = jsonl(frames).split("\n");
    expect(lines.length).toBe(3);
    expect(lines[2]).toBe("");
    expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual([frames[0]?.body, frames[2]?.body]);
  });
});

it("the time of a row has three figures behind its seconds, however many the server gave", () => {
  expect(clockOf("2026-11-17T22:24:25.75Z")).toBe("24:25.750");
  expect(clockOf("2026-11-17T22:24:25Z")).toBe("24:25.000");
});
