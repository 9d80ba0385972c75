/** How a time zone is called. */
import { expect, test } from "vitest";
import { called } from "./Zones.tsx";

test("what servers and browsers spell differently is one zone to a person", () => {
  expect(called("Etc/UTC")).toBe(called("UTC"));
  expect(called("America/Los_Angeles")).toBe("America/Los Angeles");
});
