/** Which chats wait for somebody. */
import { expect, test } from "vitest";
import type { House, Thread } from "./house.ts";
import { isWaiting, Waits } from "./waits.ts";

const NOW = Date.parse("2026-11-15T14:00:00Z");
const chat = (thread_id: string, waits_until: string | null) => ({ thread_id, waits_until }) as Thread;
const house = (threads: Thread[]) => ({ threads: async () => ({ threads, next: null }) }) as unknown as House;

test("a question waits until it is too late for an answer", () => {
  expect(isWaiting(chat("a", "2026-11-15T14:10:00Z"), NOW)).toBe(true);
  expect(isWaiting(chat("a", "2026-11-15T13:59:00Z"), NOW)).toBe(false);
  expect(isWaiting(chat("a", null), NOW)).toBe(false);
});

test("only other chats are counted", async () => {
  const waits = new Waits(
    house([chat("a", "2026-11-15T14:10:00Z"), chat("b", "2026-11-15T14:10:00Z"), chat("c", null)]),
  );
  await waits.look("a", NOW);
  expect(waits.elsewhere.value).toBe(1);
});
