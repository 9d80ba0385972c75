/** Where a scenario takes place: a server of its own, a browser of its own, both gone afterwards. */
import { open } from "./browser.mjs";
import { House } from "./house.mjs";
import { reads, say, waitForCard } from "./page.mjs";

export const SENTENCE =
  "Check my email, reply to him that Thursday works, and schedule a meeting with her and Tom at three, make it 45 minutes";

/** `args` of the browser may need the house; `settings` are its configuration, `before` happens before it is opened. */
export async function inHouse(args, work, { settings, before } = {}) {
  const house = new House({ settings });
  await before?.(house);
  await house.start();
  const browser = await open(typeof args === "function" ? args(house) : args);
  try {
    await work(house, browser);
  } finally {
    await browser.close();
    await house.leave();
  }
}

/** To the first card of the long sentence. */
export async function toTheCard(page) {
  await say(page, SENTENCE);
  await reads(page, "Who is “him”");
  await say(page, "Leo");
  await reads(page, "Who is “her”");
  await say(page, "Dana");
  await waitForCard(page, "Send this reply?");
}
