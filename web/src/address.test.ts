/** The chat in the address. */
import { expect, test } from "vitest";
import { hashOf, threadIn } from "./address.ts";

const THREAD = "thread_0123456789abcdef0123456789abcdef";

test("an address names its chat, and a chat its address", () => {
  expect(threadIn(hashOf(THREAD))).toBe(THREAD);
  expect(hashOf("")).toBe("");
});

test("what is no chat names none", () => {
  for (const hash of ["", "#words", "#/chat/", "#/chat/thread_1", `#/chat/${THREAD}/../x`])
    expect(threadIn(hash)).toBe("");
});
