import { expect, test } from "vitest";
import { calledBy } from "./attach.ts";

test("a picture is called by what it shows, keeps its ending, and is never a path", () => {
  expect(calledBy("The heron, glazed", "IMG_2031.png")).toBe("The heron, glazed.png");
  expect(calledBy("before/after", "a.b.jpeg")).toBe("before-after.jpeg");
  expect(calledBy("a heron", "image")).toBe("a heron");
  expect(calledBy("  ", "IMG_2031.png")).toBe("IMG_2031.png");
  expect(calledBy("", "")).toBe("pasted file");
});
