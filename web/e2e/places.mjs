/** Chats have an address, and one in which a card waits is seen from everywhere else. */
import assert from "node:assert/strict";
import { keeps } from "./device.mjs";
import { bubbles, card, LIVE, newChat, PATIENCE, same, say, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const REPLY = "Reply to Priya Nair that Thursday works";
const rail = (page) => page.getByRole("navigation", { name: "Chats" });
const titled = (page, begin) => page.waitForFunction((words) => document.title.startsWith(words), begin, PATIENCE);

export const places = {
  "a card that waits in another chat is in the title and in the list, until it is answered": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, REPLY);
      await waitForCard(page, "Send this reply?");
      await newChat(page);
      await titled(page, "● 1 waiting");
      const row = rail(page).locator("li", { hasText: REPLY });
      await row.getByText("waits for you").waitFor(PATIENCE);
      // So does a window that was never in that chat.
      const other = await context.newPage();
      await other.setViewportSize({ width: 390, height: 800 });
      await other.goto(house.url);
      await titled(other, "● 1 waiting");
      await other.getByRole("button", { name: "Show chats, one waits for you" }).waitFor(PATIENCE);
      await row.getByRole("button").first().click();
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      await row.getByText("waits for you").waitFor({ state: "detached", ...PATIENCE });
      await newChat(page);
      await titled(page, "Sayso");
      same(trouble, []);
    }),

  "a chat has an address: Back leads to the one before, and a bookmark to where it was, with its card": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, REPLY);
      await waitForCard(page, "Send this reply?");
      const first = page.url();
      assert.match(first, /#\/chat\/thread_[0-9a-f]{32}$/);
      await newChat(page);
      await say(page, "What meetings do I have tomorrow?");
      // All of it: an answer that is still being said reads otherwise a moment later.
      const answered = async () => {
        await page.locator("[data-message]").first().getByText("What meetings").waitFor(PATIENCE);
        await page.locator("[data-message]").nth(1).getByRole("button", { name: "Copy" }).waitFor(PATIENCE);
      };
      await answered();
      const [second, said] = [page.url(), await bubbles(page)];
      assert.notEqual(second, first);
      await page.goBack();
      await waitForCard(page, "Send this reply?");
      assert.equal(page.url(), first);
      await page.goForward();
      await answered();
      assert.equal(page.url(), second);
      same(await bubbles(page), said);
      // The way to the message box is a place on the page and no other chat.
      await page.evaluate(() => {
        location.hash = "words";
      });
      await page.waitForTimeout(500);
      same(await bubbles(page), said);
      const marked = await context.newPage();
      await marked.goto(first);
      await waitForCard(marked, "Send this reply?");
      await card(marked).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(marked, "Declined");
      const gone = await context.newPage();
      await gone.goto(`${house.url}#/chat/thread_${"0".repeat(32)}`);
      await gone.getByText("That chat cannot be found any more.").first().waitFor(PATIENCE);
      await gone.locator(LIVE).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "a chat that is opened without a connection comes back with its card, in the list and by its address": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, REPLY);
      await waitForCard(page, "Send this reply?");
      const address = page.url();
      const asked = page.locator("[data-message]", { hasText: REPLY });
      await keeps(page, "what was asked", ({ threads }) => threads.length > 0);
      await newChat(page);
      const marked = await context.newPage();
      await marked.goto(house.url);
      await marked.locator(LIVE).waitFor(PATIENCE);
      await house.kill();
      await page.locator("[data-banner]").waitFor(PATIENCE);
      await rail(page).locator("li", { hasText: REPLY }).getByRole("button").first().click();
      await asked.waitFor(PATIENCE);
      await marked.evaluate((hash) => {
        location.hash = hash;
      }, new URL(address).hash);
      await marked.locator("[data-message]", { hasText: REPLY }).waitFor(PATIENCE);
      await house.start();
      for (const one of [page, marked]) await one.evaluate(() => dispatchEvent(new Event("online")));
      await waitForCard(page, "Send this reply?");
      await waitForCard(marked, "Send this reply?");
      await card(page).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      await waitForReceipt(marked, "Declined");
      await page.reload();
      await waitForReceipt(page, "Declined");
      same(await asked.count(), 1);
      same(trouble, []);
    }),
};
