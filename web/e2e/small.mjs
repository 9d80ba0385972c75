/** The page on a small screen, in the hands of somebody who has no keys. */
import assert from "node:assert/strict";
import { isOpenToAll, picture } from "./looks.mjs";
import { card, PATIENCE, same, say, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const PHONE = { viewport: { width: 360, height: 560 }, hasTouch: true, isMobile: true };
/** What is so near to the edge is half seen. */
const FADE_PX = 20;
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

/** How far the beginning of something is below the top of what is in sight. */
const below = (page, part) =>
  page.evaluate((selector) => {
    const [top, box] = [selector, "[data-scroller]"].map(
      (one) => document.querySelector(one).getBoundingClientRect().top,
    );
    return top - box;
  }, part);

/** As a finger would, by a share of what is in sight. */
const drag = (page, share) =>
  page.locator("[data-scroller]").evaluate((box, by) => {
    box.dispatchEvent(new Event("touchmove"));
    box.scrollBy(0, by * box.clientHeight);
  }, share);

/** Whether all of it is seen by somebody who looks there: nothing lies over it, nor is it off the screen. */
async function isSeen(there) {
  const seen = await there.evaluateAll((all) =>
    all.map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return [0.1, 0.5, 0.9].every((share) =>
        one.contains(document.elementFromPoint(left + width / 2, top + share * height)),
      );
    }),
  );
  return seen.length > 0 && seen.every(Boolean);
}

/** What lies over a card, looked at point by point. */
function lyingOver() {
  const box = document.querySelector("[data-scroller]").getBoundingClientRect();
  const card = document.querySelector("[data-card]");
  const { left, right, top, bottom } = card.getBoundingClientRect();
  const over = new Set();
  for (let y = Math.max(top, box.top) + 4; y < Math.min(bottom, box.bottom) - 2; y += 8)
    for (let x = left + 4; x < right; x += 8) {
      const one = document.elementFromPoint(x, y);
      if (one && !card.contains(one) && !one.contains(card)) over.add(one.textContent.trim());
    }
  return [...over];
}

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
      assert.ok(gap >= FADE_PX, `the card begins ${FADE_PX - gap} above what is plainly in sight`);
      await card(page).getByRole("button", { name: "Send email" }).tap();
      await waitForReceipt(page, "Sent");
      assert.notEqual(await focused(page), "words", "a yes called up the keyboard");
      same(trouble, []);
    }),

  "nothing lies over a card, nor over what is being changed in it, on any phone": () =>
    inHouse([], async (house, browser) => {
      for (const [width, height] of [
        [320, 640],
        [390, 740],
        [390, 844],
      ]) {
        const { page, context, trouble } = await visit(browser, house.url, {
          ...PHONE,
          viewport: { width, height },
          prefers: {},
        });
        await say(page, "What meetings do I have tomorrow?");
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        await say(page, "Book lunch with Priya Nair tomorrow at ten");
        await waitForCard(page, "Put this on your calendar?");
        const isFree = async (what) => {
          // What comes or goes has come or gone by then.
          await page.waitForTimeout(300);
          await picture(page, `${what} at ${width} by ${height}`);
          same(await page.evaluate(lyingOver), [], `${what}, ${width} by ${height}`);
        };
        await isFree("a card");
        for (const share of [0.3, 0.6]) {
          await drag(page, share);
          await isFree(`a card after ${share} of it`);
        }
        await card(page).getByRole("button", { name: "Edit" }).tap();
        await page.getByRole("button", { name: "Save & create" }).waitFor(PATIENCE);
        await isFree("an editor");
        await drag(page, 0.5);
        await isFree("the rest of an editor");
        // Further up, where no card is, the way back to the end is there.
        await page.locator("[data-scroller]").evaluate((box) => {
          const room = document.createElement("div");
          room.style.height = `${2 * innerHeight}px`;
          box.querySelector("ol").prepend(room);
        });
        await drag(page, -3);
        await page.getByRole("button", { name: /^(Latest|New reply)/ }).waitFor(PATIENCE);
        same(trouble, []);
        await context.close();
      }
    }),

  "a chat that cannot be deleted says why where that was asked for, and leads to its card": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        ...PHONE,
        viewport: { width: 390, height: 760 },
        prefers: {},
      });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await page.getByRole("button", { name: "Show chats" }).tap();
      const rail = page.locator("#rail");
      await rail.getByRole("button", { name: /^More about Reply to Priya/ }).tap();
      await rail.getByRole("button", { name: "Delete" }).tap();
      await rail.getByRole("alertdialog").getByRole("button", { name: "Delete" }).tap();
      const why = rail.getByRole("alert");
      await why.getByText("a card in this chat waits for an answer").waitFor(PATIENCE);
      await picture(page, "a chat that cannot be deleted");
      assert.ok(await isSeen(why), "something lies over the reason");
      await isOpenToAll(page, { within: "#rail" });
      await why.getByRole("button", { name: "Open the chat" }).tap();
      await rail.waitFor({ state: "detached", ...PATIENCE });
      await waitForCard(page, "Send this reply?");
      same(trouble, []);
    }),

  "however low the screen, a card can be answered there and then, or a line says that it waits": () =>
    inHouse([], async (house, browser) => {
      for (const [width, height, isMobile] of [
        [640, 400, false],
        [740, 340, true],
        [320, 568, true],
        [390, 760, true],
      ]) {
        const { page, context, trouble } = await visit(browser, house.url, {
          ...PHONE,
          isMobile,
          hasTouch: isMobile,
          viewport: { width, height },
          prefers: {},
        });
        await say(page, "What meetings do I have tomorrow?");
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        await say(page, "Reply to Priya Nair that Thursday works");
        await waitForCard(page, "Send this reply?");
        const buttons = card(page).locator("[data-actions] button");
        const dock = page.locator("[data-dock]");
        const isAnswerable = async (what) => {
          await page.waitForTimeout(600);
          await picture(page, `${what} on a screen of ${width} by ${height}`);
          const isDocked = (await dock.count()) > 0;
          same(
            [isDocked, isDocked && !(await isSeen(dock))],
            [!(await isSeen(buttons)), false],
            `${what}, ${width} by ${height}`,
          );
        };
        await isAnswerable("a card");
        // To its beginning where that is out of sight, and from there to its buttons.
        for (let presses = 0; presses < 2 && (await dock.count()); presses += 1) {
          await dock.click();
          await isAnswerable("a card that was led to");
        }
        assert.equal(await dock.count(), 0, "the line leads nowhere");
        await say(page, "say I will bring the numbers of the fourth quarter, and a cake for everybody");
        await card(page).getByText("a cake for everybody").waitFor(PATIENCE);
        await isAnswerable("a card that was changed");
        same(trouble, []);
        await context.close();
      }
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
