/** Words that the server has not heard: where they stand, and what is said of them. Pure. */
import type { Waiting } from "../sdk/index.ts";
import type { Item } from "./items.ts";

/** The key of what it stands above: words that stay unsent are not carried along below what was said later. */
export function placeOf({ ts, problem }: Waiting, items: readonly Item[]): string {
  if (!problem) return "";
  const later = items.find((item) => item.kind === "message" && item.role === "user" && item.ts > ts);
  return later?.key ?? "";
}

/** What becomes of words that the server has not heard. Nothing is promised that may not happen. */
export function noteOf(one: Waiting, isLive: boolean, isBusy: boolean): string {
  if (one.isComing) return "Waiting for the file…";
  if (!isLive)
    return one.hadCard ? "Kept here: a card waits, so you’ll be asked first" : "Will be sent when you’re back";
  return isBusy ? "Next in line" : "Sending…";
}
