import { describe, expect, it } from "vitest";
import { answeredBy, lengthOf, spanName, spent, type Waterfall } from "./waterfall.ts";

const TURN: Waterfall = {
  turn_id: "turn_1",
  session_id: "sess_1",
  started_at: "",
  input_mode: "text",
  outcome: "success",
  took_us: 100,
  spans: [],
  marks: [],
};

describe("a waterfall", () => {
  it("is as long as what is known of it, and never nothing", () => {
    expect(lengthOf(TURN)).toBe(100);
    expect(lengthOf({ ...TURN, took_us: undefined })).toBe(1);
    expect(lengthOf({ ...TURN, marks: [{ name: "first_audio", at_us: 140 }] })).toBe(140);
    expect(lengthOf({ ...TURN, spans: [{ kind: "confirm", name: "x", start_us: 200 }] })).toBe(240);
  });

  it("names whose time it is", () => {
    expect(spanName({ kind: "tool", name: "gmail.search", start_us: 0 })).toBe("gmail.search");
    expect(spanName({ kind: "write", name: "gmail.send", start_us: 0 })).toBe("Writing: gmail.send");
    expect(spanName({ kind: "understand", name: "understand", start_us: 0 })).toBe("Understanding");
  });

  it("says who answered, and what that cost", () => {
    const failed = { model: "large", error_code: "model_busy" };
    const small = { model: "small-1", input_tokens: 1240, output_tokens: 80, cost_micros: 1200 };

    expect(answeredBy({ ...TURN, tier: "reflex" })).toBe("the rules");
    expect(answeredBy({ ...TURN, tier: "local", models: [small] })).toBe("small-1, on this machine");
    expect(answeredBy({ ...TURN, tier: "cloud", models: [small, failed] })).toBe("small-1, in the cloud");
    expect(answeredBy({ ...TURN, tier: "cloud" })).toBe("a model in the cloud");
    expect(spent([small, failed])).toBe("1\u202f240 tokens in, 80 out, $0.0012");
    expect(spent([{ model: "small-1" }])).toBe("");
  });
});
