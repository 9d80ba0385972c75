/**
 * Words that wait in a chat which is not the one that is open: they are carried there by
 * somebody of their own, under the ids they have, so they are heard once whoever brings them.
 */
import { Sayso, tabPocket } from "../sdk/index.ts";
import { personWords } from "../sdk/wire.ts";
import type { House } from "./house.ts";

/** A server that has not heard them by then hears them the next time. */
const WITHIN_MS = 20_000;

/** Brings what waits in a chat there. What is not taken says why, for when the chat is opened. */
export async function carry({ outbox }: Sayso, house: House, thread: string): Promise<void> {
  const words = outbox.waiting.filter((one) => one.thread === thread && !one.problem && !one.isComing);
  if (!words.length) return;
  const session = thread ? (await house.thread(thread)).last_session_id : null;
  const courier = new Sayso({
    name: "sayso-page",
    pockets: {
      key: tabPocket("sayso.key"),
      session: held(session ?? ""),
      thread: held(thread),
      outbox: held(JSON.stringify(words)),
    },
  });
  courier.on("event", ({ event_type, payload }) => {
    if (event_type === "turn.start" || event_type === "input_transcript.final")
      courier.outbox.take(payload.in_reply_to);
    if (event_type === "error") courier.outbox.refuse(payload.in_reply_to, personWords(payload), payload.retryable);
    if (event_type === "rate_limit") courier.outbox.refuse(payload.in_reply_to, payload.user_message, true);
  });
  await new Promise<void>((go) => {
    courier.on("outbox", (waiting) => waiting.every(({ problem }) => problem) && go());
    courier.on("link", (state) => state === "locked" && go());
    setTimeout(go, WITHIN_MS);
    courier.connect();
  });
  courier.close();
  for (const { eventId } of words) {
    const still = courier.outbox.waiting.find((one) => one.eventId === eventId);
    if (!still) outbox.take(eventId);
    else if (still.problem) outbox.refuse(eventId, still.problem, still.remedy !== "edit");
  }
}

/** For as long as the errand takes. */
function held(value: string) {
  return {
    read: () => value,
    write(next: string) {
      value = next;
    },
  };
}
