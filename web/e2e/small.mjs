/** The page on a small screen, in the hands of somebody who has no keys. */
import assert from "node:assert/strict";
import { card, PATIENCE, same, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const PHONE = { viewport: { width: 360, height: 560 }, hasTouch: true, isMobile: true };
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

/** How far the beginning of something is below the top of what is in sight. */
const below = (page, part) =>
  page.evaluate((selector) => {
    const [top, box] = [selector, "[data-scroller]"].map(
      (one) => document.querySelector(one).getBoundingClientRect().top,
    );
    return top - box;
  }, part);

export const small = {
  "on a small phone one reads from the beginning: what greets, and a card that is taller than the screen": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, PHONE);
      await page.getByLabel("What should I call you?").waitFor({ state: "attached", ...PATIENCE });
      const { scrollTop, isTall } = await page.locator("[data-scroller]").evaluate((box) => ({
        scrollTop: box.scrollTop,
        isTall: box.scrollHeight > box.clientHeight,
      }));
      same({ scrollTop, isTall }, { scrollTop: 0, isTall: true });
      await page.getByRole("button", { name: "Reply to Priya Nair that Thursday works" }).tap();
      await waitForCard(page, "Send this reply?");
      const gap = await below(page, "[data-card]");
      assert.ok(gap >= 0, `the card begins ${-gap} above what is in sight`);
      await card(page).getByRole("button", { name: "Send email" }).tap();
      await waitForReceipt(page, "Sent");
      assert.notEqual(await focused(page), "words", "a yes called up the keyboard");
      same(trouble, []);
    }),

  "the list of chats over the chat holds the keyboard, and gives it back": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {}, viewport: { width: 800, height: 700 } });
      const show = page.getByRole("button", { name: "Show chats" });
      await show.click();
      await page.locator("#rail").waitFor(PATIENCE);
      const where = () => page.evaluate(() => document.activeElement.closest("#rail, main, body")?.id);
      same([await where(), await page.locator("main").evaluate((main) => main.inert)], ["rail", true]);
      for (let tabs = 0; tabs < 12; tabs += 1) {
        await page.keyboard.press("Tab");
        assert.notEqual(await page.evaluate(() => document.activeElement.closest("main")?.tagName), "MAIN");
      }
      await page.locator("#rail").getByRole("button", { name: "New chat" }).focus();
      await page.keyboard.press("Escape");
      await page.locator("#rail").waitFor({ state: "detached", ...PATIENCE });
      assert.ok(await show.evaluate((one) => one === document.activeElement), "the keyboard was left nowhere");
      await show.click();
      await page.locator("#rail").getByRole("button", { name: "New chat" }).click();
      await page.waitForFunction(() => document.activeElement.id === "words", undefined, PATIENCE);
      same(trouble, []);
    }),
};
