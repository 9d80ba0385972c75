import { expect, test } from "vitest";
import { announce, polite } from "./announcer.ts";

test("of two pieces of news that come together, neither is lost", async () => {
  announce("Microphone off");
  announce("Stopped");
  await Promise.resolve();

  expect(polite.value).toBe("Microphone off – Stopped");
});

test("the same news a second time is news again", async () => {
  const heard: string[] = [];
  const stop = polite.subscribe((words) => heard.push(words));
  for (const _ of [1, 2]) {
    announce("Stopped");
    await Promise.resolve();
  }
  stop();

  expect(heard.slice(1)).toEqual(["", "Stopped", "", "Stopped"]);
});
