import { describe, expect, it } from "vitest";
import { firstStage, type Tool, toolFailures } from "./figures.ts";

const tool = (calls: number, failed: number, failed_permille?: number): Tool => ({
  tool_name: "t",
  action_level: "read",
  calls,
  failed,
  unknown: 0,
  dedupe_hits: 0,
  ...(failed_permille !== undefined && { failed_permille }),
});

describe("figures", () => {
  it("know no share of nothing", () => {
    expect(toolFailures([])).toBeUndefined();
    expect(toolFailures([tool(3, 0)])).toBeUndefined();
    expect(toolFailures([tool(3, 0, 0)])).toBe(0);
    expect(toolFailures([tool(90, 1, 11), tool(10, 1, 100)])).toBe(20);
  });

  it("show what people wait for first", () => {
    const spread = { count: 1, p50_us: 1, p95_us: 1, p99_us: 1 };
    expect(firstStage({})).toBe("first_token");
    expect(firstStage({ tools: spread })).toBe("tools");
    expect(firstStage({ first_token: spread, first_audio: spread })).toBe("first_audio");
  });
});
