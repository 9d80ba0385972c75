/** What is said to a card, tapped beside it, changed in it, and taken back afterwards. */
import assert from "node:assert/strict";
import { picture } from "./looks.mjs";
import { card, newChat, PATIENCE, reads, same, say, status, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { aloud, inHouse, toTheCard } from "./scene.mjs";

const MEETING = "Schedule a meeting with Tom Okafor and Dana Whitfield tomorrow at three";

/** A sentence that leads to a card, and what the card asks. */
const CARDS = [
  ["Reply to Priya Nair that Thursday works", "Send this reply?"],
  [MEETING, "Put this on your calendar?"],
  ["Remember that Tom is allergic to nuts", "Remember this?"],
];

async function remember(page, what) {
  await say(page, `Remember that ${what}`);
  await waitForCard(page, "Remember this?");
  await card(page).getByRole("button", { name: "Remember it" }).click();
  await page.locator("[data-receipt]", { hasText: what }).getByText("Noted").waitFor(PATIENCE);
}

/** The words in quotes of the line below the buttons. */
async function hinted(page) {
  const words = await page.locator("[data-card] [data-hint]").innerText();
  return [...words.matchAll(/“([^”]+)”/g)].map(([, one]) => one);
}

export const answering = {
  "Undo on a receipt takes back what that receipt is about, and nothing newer": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await remember(page, "Tom is allergic to nuts");
      await remember(page, "Dana, who lives in Porto, prefers trains and boats");
      await remember(page, "the parking code is 4711");
      for (const [what, asks] of [
        ["Tom is allergic to nuts", /Tom is allergic to nuts/],
        ["prefers trains", /Dana, who lives in Porto, prefers trains and boats/],
      ]) {
        await page.locator("[data-receipt]", { hasText: what }).getByRole("button", { name: "Undo" }).click();
        await waitForCard(page, /Forget/);
        await card(page).getByText(asks).first().waitFor(PATIENCE);
        assert.equal(await card(page).getByText("4711").count(), 0, "something else would be forgotten with it");
        await card(page).getByRole("button", { name: "Forget it" }).click();
        await page.locator("[data-receipt]", { hasText: "Forgotten" }).filter({ hasText: what }).waitFor(PATIENCE);
      }
      const { memories } = await house.ask("/memory/retrieve");
      same(
        memories.map(({ text }) => /4711/.test(text)),
        [true],
      );
      same(trouble, []);
    }),

  "whatever a card says can be said to it is taken: a yes, a change, a no": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      for (const [sentence, asks] of CARDS) {
        await say(page, sentence);
        await waitForCard(page, asks);
        const phrases = await hinted(page);
        assert.ok(phrases.length >= 2, `only ${phrases} can be said to ${asks}`);
        const [yes, no] = [phrases[0], phrases.at(-1)];
        for (const change of phrases.slice(1, -1)) {
          await say(page, change);
          await card(page).getByText("changed").first().waitFor(PATIENCE);
          await waitForCard(page, asks);
        }
        await say(page, no);
        await waitForReceipt(page, "Declined");
        await newChat(page);
        await say(page, sentence);
        await waitForCard(page, asks);
        await say(page, yes);
        await waitForReceipt(page, /^(Sent|Created|Noted)/);
        await newChat(page);
      }
      same(trouble, []);
    }),

  "what is offered after a no leads somewhere, for every kind of card": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      let offered = 0;
      for (const [sentence, asks] of CARDS) {
        for (let at = 0; ; at += 1) {
          await newChat(page);
          await say(page, sentence);
          await waitForCard(page, asks);
          await card(page)
            .getByRole("button", { name: /^Don’t/ })
            .click();
          await waitForReceipt(page, "Declined");
          await page.waitForFunction(() => document.querySelectorAll("[data-message]").length > 1, undefined, PATIENCE);
          const chip = page.locator("[data-receipt] [data-offer]").nth(at);
          if (!(await chip.count())) break;
          offered += 1;
          const words = await chip.innerText();
          await chip.click();
          await page.locator('[data-message][aria-label^="You"]').nth(1).waitFor(PATIENCE);
          await page.waitForFunction(
            () => {
              const all = [...document.querySelectorAll("[data-message]")];
              return (
                all.at(-1)?.getAttribute("aria-label").startsWith("Sayso") &&
                !document.querySelector("[data-stop]:not([data-stop=card])")
              );
            },
            undefined,
            PATIENCE,
          );
          const reply = await page.locator("[data-message] [dir]").last().innerText();
          assert.doesNotMatch(
            reply,
            /did(n’t| not) (understand|get|catch)|not sure what|can’t do that|don’t know how/i,
            `“${words}” leads nowhere`,
          );
        }
      }
      assert.ok(offered > 0, "nothing was offered");
      same(trouble, []);
    }),

  "what is offered after a no stays on the screen of a small phone": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {}, viewport: { width: 320, height: 700 } });
      await say(page, MEETING);
      await waitForCard(page, "Put this on your calendar?");
      await card(page).getByRole("button", { name: "Don’t create" }).click();
      const chip = page.locator("[data-receipt] [data-offer]");
      await chip.waitFor(PATIENCE);
      const [holds, words] = await chip.evaluate((one) => [
        one.closest("[data-receipt]").getBoundingClientRect().right,
        one.getBoundingClientRect().right,
      ]);
      assert.ok(words <= holds, `it ends at ${words}, and what holds it at ${holds}`);
      same(trouble, []);
    }),

  "a tap on the status line stops the voice and answers no card": aloud(() =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        prefers: { voice: "always" },
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      await page.locator("#words").tap();
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await status(page, "Speaking").waitFor(PATIENCE);
      assert.doesNotMatch(await page.locator("p[data-status]").innerText(), /Esc/);
      const { x, y, height } = await page.locator("p[data-status]").boundingBox();
      await page.touchscreen.tap(x + 20, y + height / 2);
      await status(page, "Waiting for your OK").waitFor({ timeout: 1500 });
      // A second tap on the same place finds nothing to stop, and is no answer.
      await page.touchscreen.tap(x + 20, y + height / 2);
      await page.waitForTimeout(1500);
      assert.equal(await page.locator("[data-card]").count(), 1, "a tap on the line answered the card");
      same(trouble, []);
    }),
  ),

  "a stranger who is added makes the card ask again because of the change, and says so": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Edit" }).click();
      await card(page).getByLabel("Cc").fill("stranger@elsewhere.example");
      await card(page).getByRole("button", { name: "Save & send" }).click();
      await card(page).getByText("Your change needs a second look").waitFor(PATIENCE);
      await card(page).getByText("stranger@elsewhere.example").first().waitFor(PATIENCE);
      assert.equal(await card(page).getByText("something besides your change").count(), 0);
      same(trouble, []);
    }),

  "plan, receipt, card and box are one column, on a tablet and beside the inspector; done steps are told once": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, `${house.url}?debug`, {
        prefers: {},
        viewport: { width: 768, height: 1024 },
      });
      await toTheCard(page);
      await card(page).getByRole("button", { name: "Send email" }).click();
      await waitForReceipt(page, "Sent");
      await waitForCard(page, "Put this on your calendar?");
      const isOne = async () => {
        const edges = await page.evaluate(() =>
          ["section[aria-label^=Plan]", "[data-receipt]", "[data-card]", "form"].map((part) => {
            const { left, right } = document.querySelector(part).getBoundingClientRect();
            return `${Math.round(left)} to ${Math.round(right)}`;
          }),
        );
        same(new Set(edges).size, 1, `the edges are ${edges.join(", ")}`);
      };
      await isOne();
      await page.setViewportSize({ width: 1280, height: 860 });
      await page.keyboard.press("Control+.");
      await page.getByRole("complementary", { name: "Inspector" }).waitFor(PATIENCE);
      await isOne();
      const [steps, rows] = await page.evaluate(() =>
        ["section[aria-label^=Plan] li", '[data-kind="tool"] button'].map((part) =>
          [...document.querySelectorAll(part)].map((one) => one.children[1].textContent),
        ),
      );
      assert.ok(steps.length >= 3, `the plan has only ${steps.join(", ")}`);
      same(
        rows.filter((row) => steps.includes(row)),
        [],
        "what the plan tells stands there twice",
      );
      same(trouble, []);
    }),

  "what was being changed in a card that is answered in another window is told, and can be copied": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url, { prefers: {} });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Edit" }).click();
      await card(page).getByLabel("Text").fill("Thursday works, and I will bring cake.");
      const other = await context.newPage();
      await other.goto(page.url());
      await waitForCard(other, "Send this reply?");
      await card(other).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      const receipt = page.locator("[data-receipt]");
      await receipt.getByText("Your changes were not used.").waitFor(PATIENCE);
      // What is typed on is not for the box, where Enter would send it.
      assert.ok(await receipt.evaluate((one) => one === document.activeElement));
      await picture(page, "changes that were not used");
      await receipt.getByRole("button", { name: "Copy them" }).click();
      await receipt.getByRole("button", { name: "Copied" }).waitFor(PATIENCE);
      same(await page.evaluate(() => navigator.clipboard.readText()), "Thursday works, and I will bring cake.");
      await say(page, "Reply to Priya Nair that Friday works");
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Edit" }).click();
      await card(page).getByLabel("Text").fill("Friday works.");
      await card(page).getByRole("button", { name: "Save & send" }).click();
      const sent = page.locator('[data-receipt][data-tone="done"]');
      await sent.waitFor(PATIENCE);
      await page.reload();
      await sent.waitFor(PATIENCE);
      same(await page.getByText("Your changes were not used.").count(), 1, "changes that were sent are called unused");
      same(trouble, []);
    }),

  "the time zone and the people of an event are changed in its card": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {}, viewport: { width: 390, height: 844 } });
      await say(page, MEETING);
      await waitForCard(page, "Put this on your calendar?");
      await card(page).getByRole("button", { name: "Edit" }).click();
      const people = card(page).getByLabel("With");
      const fits = await people.evaluate(
        (box) => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight + 1,
      );
      assert.ok(fits, "somebody who is invited cannot be seen");
      assert.match(await people.inputValue(), /^\S+@\S+\n\S+@\S+$/);
      await card(page).getByLabel("Time zone").selectOption("Asia/Tokyo");
      await card(page).getByText("Japan Standard Time").first().waitFor(PATIENCE);
      await card(page).getByRole("button", { name: "Save & create" }).click();
      await page
        .locator("[data-receipt]", { hasText: "Created" })
        .or(card(page).getByText("Your change needs a second look"))
        .first()
        .waitFor(PATIENCE);
      if (await page.locator("[data-card]").count()) {
        await waitForCard(page, "Put this on your calendar?");
        await card(page).getByRole("button", { name: "Create event" }).click();
      }
      await waitForReceipt(page, "Created");
      await page.locator("[data-receipt] summary").click();
      await page.locator("[data-receipt]").getByText("Japan Standard Time, Tokyo").waitFor(PATIENCE);
      await page.locator("[data-receipt]").getByText("3:00 to").first().waitFor(PATIENCE);
      await reads(page, /on your calendar/);
      same(trouble, []);
    }),
};
