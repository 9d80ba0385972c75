import { expect, test } from "vitest";
import { tool } from "./gallery/samples.ts";
import { reminderOf } from "./jobs.ts";

const DUE = "2026-11-16T17:00:00Z";
const SET = tool({ name: "reminders.set", level: "draft", output: { job_id: "job_1", due_at: DUE } });

test("a reminder can be taken back until it is due, and nothing else can", () => {
  const before = Date.parse(DUE) - 1;

  expect(reminderOf(SET, before)).toBe("job_1");
  expect(reminderOf(SET, Date.parse(DUE))).toBe("");
  expect(reminderOf({ ...SET, name: "gmail.create_draft" }, before)).toBe("");
  expect(reminderOf({ ...SET, status: "failed" }, before)).toBe("");
  expect(reminderOf({ ...SET, output: null }, before)).toBe("");
});
