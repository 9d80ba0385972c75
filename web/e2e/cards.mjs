/** What people do with a card, besides saying yes. */
import assert from "node:assert/strict";
import { PATIENCE, reads, same, say, status, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { aloud, inHouse, toTheCard } from "./scene.mjs";

/** So long a press is taken for a late one. */
const MEANT_AFTER_MS = 1300;

export const cards = {
  "Stop on a card that waits says no to it; stopping the voice does not": aloud(() =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: { voice: "always" } });
      await page.locator("#words").click();
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await status(page, "Speaking").waitFor(PATIENCE);
      await page.keyboard.press("Escape");
      await status(page, "Waiting for your OK").waitFor(PATIENCE);
      assert.equal(await page.locator("[data-card]").count(), 1, "the voice was stopped, and the card went with it");
      const stop = page.locator('[data-stop="card"]');
      assert.equal(await stop.getAttribute("title"), "Don’t send");
      await pressUntil(page.locator("[data-receipt]"), () => stop.click({ timeout: 400 }).catch(() => undefined));
      await waitForReceipt(page, "Declined");
      await reads(page, /left it|won’t|not sent|didn’t/i);
      same(trouble, []);
    }),
  ),

  "Esc on a card that waits says no to it, unless somebody is writing": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      await toTheCard(page);
      await page.locator("#words").fill("make it friend");
      await page.waitForTimeout(MEANT_AFTER_MS);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator("[data-card]").count(), 1);
      await page.locator("#words").fill("");
      await page.keyboard.press("Escape");
      await waitForReceipt(page, "Declined");
    }),
};

/** A press right after something ended is not an answer, so it is pressed until one is taken. */
async function pressUntil(there, press) {
  const until = Date.now() + 15_000;
  while (Date.now() < until && !(await there.count())) {
    await press();
    await there
      .first()
      .waitFor({ timeout: 400 })
      .catch(() => undefined);
  }
}
