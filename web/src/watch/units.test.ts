import { describe, expect, it } from "vitest";
import { count, NONE, share, shortId, time } from "./units.ts";

describe("units", () => {
  it("tells times with three figures at most", () => {
    const told = [0, 840, 6_400, 9_960, 640_000, 999_600, 1_180_000, 12_340_000, 125_000_000, 7_380_000_000].map(time);
    expect(told).toEqual([
      "0 µs",
      "840 µs",
      "6.4 ms",
      "10 ms",
      "640 ms",
      "1.00 s",
      "1.18 s",
      "12.3 s",
      "2 min 5 s",
      "2 h 3 min",
    ]);
  });

  it("tells what is absent as absent and nothing as nothing", () => {
    expect([time(undefined), count(null), share(undefined)]).toEqual([NONE, NONE, NONE]);
    expect([time(0), count(0), share(0)]).toEqual(["0 µs", "0", "0 %"]);
  });

  it("groups thousands and halves no percent", () => {
    expect([count(999), count(1204), count(1234567)]).toEqual(["999", "1\u202f204", "1\u202f234\u202f567"]);
    expect([share(31), share(500), share(1000)]).toEqual(["3.1 %", "50 %", "100 %"]);
  });

  it("keeps the telling end of an id", () => {
    expect(shortId("turn_0192f7c0a1b2c3d4e5f60718293a4b5c")).toBe("turn_…3a4b5c");
    expect(shortId("user_1")).toBe("user_1");
  });
});
