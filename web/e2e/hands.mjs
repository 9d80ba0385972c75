/** Keys, a second click, and where the keyboard is once something in front is gone. */
import assert from "node:assert/strict";
import { isOpenToAll, picture } from "./looks.mjs";
import { card, LIVE, newChat, PATIENCE, reads, same, say, visit, waitForCard } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const PERSON = /^You,/;
const focused = (page) =>
  page.evaluate(() => {
    const one = document.activeElement;
    return one.id || one.getAttribute("aria-label") || one.textContent.trim() || one.tagName;
  });
const said = (page) => page.getByRole("article", { name: PERSON });

export const hands = {
  "a second click on a suggestion, or on one of several, says nothing": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await page.getByRole("button", { name: "What meetings do I have tomorrow?" }).dblclick();
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await say(page, "Reply to Priya that Thursday works");
      const choices = page.locator("[data-choices]");
      await choices.getByRole("button", { name: /Priya Nair/ }).waitFor(PATIENCE);
      // Nobody reads two names sooner, and a press so soon behind another one is none.
      await page.waitForTimeout(800);
      await choices.getByRole("button", { name: /Priya Nair/ }).dblclick();
      await waitForCard(page, "Send this reply?");
      same(await said(page).count(), 3, "something was said twice");
      same(await page.locator("[data-card]").count(), 1);
      same(trouble, []);
    }),

  "the key that leads to a card leads to a question with names, too, and a number answers it there": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya that Thursday works");
      const choices = page.locator("[data-choices]");
      await choices.getByRole("button", { name: /Priya Nair/ }).waitFor(PATIENCE);
      same(await focused(page), "words");
      await page.locator("footer").getByText("goes to the choice").waitFor(PATIENCE);
      await page.keyboard.press("Alt+c");
      assert.ok(await choices.evaluate((one) => one === document.activeElement), await focused(page));
      await picture(page, "the keyboard on a question with names");
      await page.keyboard.press("1");
      await waitForCard(page, "Send this reply?");
      await page.locator("footer").getByText("goes to the card").waitFor(PATIENCE);
      await page.locator("#words").focus();
      await page.keyboard.press("Alt+c");
      assert.ok(await card(page).evaluate((one) => one === document.activeElement), await focused(page));
      same(trouble, []);
    }),

  "whoever puts off who they are, or says it, goes on where one writes": () =>
    inHouse([], async (house, browser) => {
      for (const answer of ["Not now", "That’s me"]) {
        const { page, context, trouble } = await visit(browser, house.url);
        await page.getByRole("button", { name: answer }).focus();
        await page.keyboard.press("Enter");
        await page.getByLabel("What should I call you?").waitFor({ state: "detached", ...PATIENCE });
        same(await focused(page), "words", `after “${answer}”`);
        same(trouble, []);
        await context.close();
      }
    }),

  "before a chat is deleted one is asked, with the keyboard on what keeps it, and is back in the list after": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      for (const words of ["What meetings do I have tomorrow?", "Any new mail from Leo?"]) {
        await say(page, words);
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        await newChat(page);
      }
      const rail = page.getByRole("navigation", { name: "Chats" });
      const more = rail.getByRole("button", { name: "More about Any new mail" });
      const ask = async () => {
        await more.focus();
        await page.keyboard.press("Enter");
        await rail.getByRole("button", { name: "Delete" }).focus();
        await page.keyboard.press("Enter");
        await rail.getByRole("alertdialog", { name: /^Delete “Any new mail.*for good\?$/ }).waitFor(PATIENCE);
        same(await focused(page), "Keep");
      };
      await ask();
      await isOpenToAll(page, { within: "#rail" });
      await page.keyboard.press("Enter");
      assert.match(await focused(page), /^More about Any new mail/);
      await ask();
      await page.keyboard.press("Escape");
      assert.match(await focused(page), /^More about Any new mail/);
      await ask();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await more.waitFor({ state: "detached", ...PATIENCE });
      assert.match(await focused(page), /^What meetings/, "the keyboard was left nowhere");
      await page.locator(LIVE).waitFor(PATIENCE);
      await reads(page, "What’s on your mind");
      same(trouble, []);
    }),
};
