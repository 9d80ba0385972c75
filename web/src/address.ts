/**
 * The chat that is open stands in the address: it can be bookmarked, and Back leads to the
 * one before. A chat takes the place of the blank page it began on.
 */
import { effect } from "@preact/signals";
import type { Session } from "./session.ts";

const FORM = /^#\/chat\/(thread_[0-9a-f]{32})$/;

/** The chat that an address names, or nothing. */
export function threadIn(hash: string): string {
  return FORM.exec(hash)?.[1] ?? "";
}

export function hashOf(thread: string): string {
  return thread ? `#/chat/${thread}` : "";
}

export function keepAddress(session: Session): void {
  let shown = "";
  effect(() => {
    const thread = session.threadId.value;
    const isBlank = shown === "" || shown === thread;
    shown = thread;
    if (thread === threadIn(location.hash)) return;
    const address = location.pathname + location.search + hashOf(thread);
    if (isBlank) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  });
  addEventListener("popstate", () => {
    const thread = threadIn(location.hash);
    // A place on the page, as the way to the message box, is no other chat.
    const isElsewhere = location.hash === "" || thread !== "";
    if (isElsewhere && thread !== session.threadId.value) void session.openThread(thread);
  });
}
