/** Frames as the server spells them, and whatever they could become on the way. */
import { describe, expect, test, vi } from "vitest";
import { fold, take } from "../src/conversation.ts";
import { type Conversation, EMPTY } from "../src/items.ts";
import { type Envelope, parse } from "./wire.ts";

const [GOLDEN = ""] = Object.values(
  import.meta.glob<string>("../../crates/wire/tests/golden/canonical/server.jsonl", {
    query: "?raw",
    import: "default",
    eager: true,
  }),
);
const FRAMES = GOLDEN.trim().split("\n");
const INSTEAD = [null, 0, -1, true, "", "<img src=x onerror=alert(1)>", "x".repeat(100_000), [], [null], {}];

/** The frame with each field of its payload in turn gone or something else. */
function broken(frame: string): string[] {
  const { payload, ...envelope } = JSON.parse(frame) as { payload: Record<string, unknown> };
  return Object.keys(payload).flatMap((name) => {
    const { [name]: _, ...rest } = payload;
    const changed = INSTEAD.map((value) => ({ ...rest, [name]: value }));
    return [rest, ...changed].map((payload) => JSON.stringify({ ...envelope, payload }));
  });
}

test("what the server sends is read, each frame of it", () => {
  expect(FRAMES.length).toBeGreaterThan(25);
  for (const frame of FRAMES) expect(parse(frame)).toEqual(JSON.parse(frame));
});

test("what is no event is left alone, and one that nobody knows is taken as it is", () => {
  for (const noise of ["", "{", "null", "7", "[]", "{}", '{"event_type":"error"}', '{"event_type":1,"payload":{}}'])
    expect(parse(noise)).toBeNull();
  expect(parse(new ArrayBuffer(4))).toBeNull();
  expect(parse('{"event_type":"toString","payload":{}}')?.event_type).toBe("toString");
  expect(parse('{"event_type":"assistant_text.final","payload":{"text":null}}')).toBeNull();
});

describe("a conversation", () => {
  const whole = FRAMES.map((frame) => JSON.parse(frame) as Envelope).reduce(fold, EMPTY);

  test("goes on after every frame that came broken", () => {
    const complaints = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const events = FRAMES.flatMap(broken).map(parse);
    const read = events.filter((event) => event !== null);

    const after = read.reduce<Conversation>((c, event) => take(take(c, event), JSON.parse(FRAMES[4] ?? "")), whole);

    expect(events.length).toBeGreaterThan(1000);
    expect(after.items.some((item) => item.kind === "message" && item.text.includes("Checking tomorrow."))).toBe(true);
    complaints.mockRestore();
  });
});
