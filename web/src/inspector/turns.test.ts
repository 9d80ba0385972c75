import { describe, expect, it } from "vitest";
import type { Envelope, Event } from "../../sdk/wire.gen.ts";
import type { Frame } from "./tape.ts";
import { turnsOf, waterfallOf } from "./turns.ts";

const TURN = "turn_1";
const START = Date.parse("2026-01-17T12:00:00.000Z");

let number = 0;
/** An event of the turn, so many milliseconds after its beginning. */
function frame(ms: number, event: Event, turn = TURN): Frame {
  const ts = new Date(START + ms).toISOString();
  number += 1;
  const body = {
    event_id: `evt_${number}`,
    ts,
    session_id: "sess_1",
    epoch: 1,
    turn_id: turn,
    role: "system",
    message_id: "msg_1",
    ...event,
  };
  return { number, way: "in", at: START + ms + 5, type: event.event_type, turn, body: body as Envelope };
}

const started = (ms = 0, turn = TURN) =>
  frame(ms, { event_type: "turn.start", payload: { input_mode: "voice" } }, turn);
const state = (ms: number, from: string, to: string) =>
  frame(ms, { event_type: "state.change", payload: { from, to, reason: "" } } as Event);
const asked = (ms: number) =>
  frame(ms, {
    event_type: "tool_call.request",
    payload: {
      call_id: "call_1",
      tool_name: "gmail.search",
      arguments: {},
      idempotency_key: "k",
      mode: "direct",
      action_level: "read",
      label: "Searching",
    },
  });
const found = (ms: number, ok = true) =>
  frame(ms, {
    event_type: "tool_call.result",
    payload: {
      call_id: "call_1",
      ok,
      output: null,
      error: ok ? null : { code: "timeout", message: "", retryable: true },
    },
  });

describe("a turn from its events", () => {
  it("has a span for each thing that took time and a mark for each that was waited for", () => {
    const frames = [
      started(),
      state(0, "idle", "listening"),
      state(2310, "listening", "finalizing_input"),
      state(2490, "finalizing_input", "thinking"),
      frame(2500, { event_type: "assistant_text.delta", payload: { text: "On it" } }),
      asked(2510),
      found(3310),
      frame(3320, { event_type: "assistant_audio.start", payload: { audio_format: "pcm16", sample_rate: 24000 } }),
      frame(4000, { event_type: "turn.end", payload: { outcome: "success", error_code: null } }),
    ];

    const told = waterfallOf(frames, TURN, new Map([["msg_1", START + 3405]]));

    expect(told?.spans.map(({ kind, start_us, end_us }) => [kind, start_us, end_us])).toEqual([
      ["listen", 0, 2_310_000],
      ["finalize", 2_310_000, 2_490_000],
      ["understand", 2_490_000, 4_000_000],
      ["tool", 2_510_000, 3_310_000],
    ]);
    expect(told?.marks).toEqual([
      { name: "first_event", at_us: 0 },
      { name: "end_of_speech", at_us: 2_310_000 },
      { name: "first_token", at_us: 2_500_000 },
      { name: "first_status", at_us: 2_510_000 },
      { name: "first_audio", at_us: 3_320_000 },
      { name: "first_played", at_us: 3_400_000 },
    ]);
    expect([told?.outcome, told?.took_us]).toEqual(["success", 4_000_000]);
  });

  it("leaves open what goes on and names why something failed", () => {
    expect(waterfallOf([started(), asked(10)], TURN)?.spans[0]?.end_us).toBeUndefined();
    const failed = waterfallOf([started(), asked(10), found(30, false)], TURN)?.spans[0];
    expect([failed?.state, failed?.error_code, failed?.end_us]).toEqual(["failed", "timeout", 30_000]);
  });

  it("shows a card until it is decided, and how", () => {
    const card = { confirmation_request_id: "cr_1", tool_name: "gmail.send" };
    const told = waterfallOf(
      [
        started(),
        frame(10, { event_type: "confirmation.request", payload: card } as unknown as Event),
        frame(6410, {
          event_type: "confirmation.resolved",
          payload: { confirmation_request_id: "cr_1", revision: 1, decision: "accept", channel: "voice" },
        }),
      ],
      TURN,
    );

    expect(told?.spans[0]).toEqual({
      kind: "confirm",
      name: "gmail.send",
      start_us: 10_000,
      end_us: 6_410_000,
      state: "accepted",
      channel: "voice",
    });
  });

  it("goes by arrival where events have one time, and by their time where they were replayed", () => {
    const late = (one: Frame, at: number): Frame => ({ ...one, at });
    const live = waterfallOf([started(), late(asked(0), START + 45)], TURN);
    expect(live?.spans[0]?.start_us).toBe(40_000);
    const replayed = waterfallOf([late(started(), START + 9000), late(asked(40), START + 9001)], TURN);
    expect(replayed?.spans[0]?.start_us).toBe(40_000);
  });

  it("is not drawn without its beginning and not mixed with another", () => {
    expect(waterfallOf([asked(10)], TURN)).toBeNull();
    const frames = [started(), started(50, "turn_2"), found(60)];
    expect(turnsOf(frames)).toEqual([TURN, "turn_2"]);
    expect(waterfallOf(frames, "turn_2")?.spans).toEqual([]);
  });
});
