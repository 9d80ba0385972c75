/** Where a scenario takes place: a server of its own, a browser of its own, both gone afterwards. */
import { open } from "./browser.mjs";
import { House } from "./house.mjs";
import { isUntroubled, reads, say, waitForCard } from "./page.mjs";

export const SENTENCE =
  "Check my email, reply to him that Thursday works, and schedule a meeting with her and Tom at three, make it 45 minutes";

/** `args` of the browser may take a while to make; `settings` are its configuration, `peril` is where the server dies, `before` happens before it is opened. */
export async function inHouse(args, work, { settings, peril, before } = {}) {
  const house = new House({ settings, peril });
  let browser = null;
  try {
    await before?.(house);
    await house.start();
    browser = await open(typeof args === "function" ? await args() : args);
    await work(house, browser);
    isUntroubled(browser);
  } finally {
    await browser?.close();
    await house.leave();
  }
}

/** A walk that measures time needs the machine for itself. */
export const alone = (walk) => Object.assign(walk, { goes: "alone" });

/** One in which somebody talks, or is talked to, has the machine for itself. */
export const aloud = (walk) => Object.assign(walk, { goes: "aloud" });

/** To the first card of the long sentence. */
export async function toTheCard(page) {
  await say(page, SENTENCE);
  await reads(page, "Who is “him”");
  await say(page, "Leo");
  await reads(page, "Who is “her”");
  await say(page, "Dana");
  await waitForCard(page, "Send this reply?");
}
