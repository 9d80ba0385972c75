import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { polite } from "./announcer.ts";
import type { Turn } from "./items.ts";
import { Progress } from "./progress.ts";

let heard: string[] = [];
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  polite.value = "";
  heard = [];
  stop = polite.subscribe((words) => words && heard.push(words));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

const turn = (state: Turn["state"], words = "", id = "t1") => ({ id, state, words });

test("that it thinks is told once, and only where it takes a while", async () => {
  const progress = new Progress();
  progress.see(turn("thinking"));
  await vi.advanceTimersByTimeAsync(900);
  progress.see(turn("speaking"));
  await vi.advanceTimersByTimeAsync(2000);
  expect(heard).toEqual([]);

  for (let times = 0; times < 2; times += 1) {
    progress.see(turn("thinking", "", "t2"));
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(heard).toEqual(["Thinking"]);
});

test("what it works on is told every five seconds at most, the newest of it", async () => {
  const progress = new Progress();
  for (const words of ["checking mail", "reading", "drafting"]) {
    progress.see(turn("executing_tools", words));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(heard).toEqual(["Working: checking mail"]);

  await vi.advanceTimersByTimeAsync(5000);
  expect(heard).toEqual(["Working: checking mail", "Working: drafting"]);
});
