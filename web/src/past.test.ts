import { expect, test } from "vitest";
import type { Bubble } from "../sdk/index.ts";
import type { House } from "./house.ts";
import { Past } from "./past.ts";

const bubble = (at: number) =>
  ({ message_id: `m${at}`, turn_id: `t${at}`, role: "user", text: `${at}`, ts: "2026-11-18T10:00:00Z" }) as Bubble;

/** A server with twelve messages, three a page. */
const house = {
  async messages(_: string, before: string) {
    const end = before ? Number(before.slice(1)) : 12;
    const messages = [end - 3, end - 2, end - 1].map(bubble);
    return { messages, next: end > 3 ? `m${end - 3}` : null };
  },
} as unknown as House;

test("earlier messages come at once, however many of those in between are shown already", async () => {
  const past = new Past(house, (id) => Number(id.slice(1)) >= 3);
  await past.look("thread_1");

  await past.more();

  expect(past.earlier.value[0]?.id).toBe("m0");
  expect(past.hasMore.value).toBe(false);
});

test("one page at a time is asked for where each brings something new", async () => {
  const past = new Past(house, () => false);
  await past.look("thread_1");

  await past.more();

  expect(past.earlier.value[0]?.id).toBe("m6");
});
