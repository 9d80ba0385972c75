/** What people do with a card, besides saying yes. */
import assert from "node:assert/strict";
import { picture } from "./looks.mjs";
import { card, PATIENCE, reads, same, say, status, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { aloud, inHouse, SENTENCE, toTheCard } from "./scene.mjs";

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
      await stop.locator("span:not(.unseen)", { hasText: "Don’t send" }).waitFor(PATIENCE);
      await page.getByRole("button", { name: "Stop: Don’t send", exact: true }).waitFor(PATIENCE);
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

  "Esc closes what is in front of a card that waits, and answers nothing": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      for (const name of ["Memory", "Settings", "Keyboard shortcuts"]) {
        await page.locator("#rail").getByRole("button", { name, exact: true }).click();
        const sheet = page.getByRole("dialog", { name });
        await sheet.waitFor(PATIENCE);
        await page.waitForTimeout(MEANT_AFTER_MS);
        await page.keyboard.press("Escape");
        await sheet.waitFor({ state: "detached", ...PATIENCE });
      }
      await page.locator("#chat-search").focus();
      await page.keyboard.press("Escape");
      assert.notEqual(await page.evaluate(() => document.activeElement.id), "chat-search", "the field was not left");
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole("button", { name: /chats/i }).first().click();
      await page.locator("#rail").waitFor(PATIENCE);
      await page.keyboard.press("Escape");
      await page.locator("#rail").waitFor({ state: "detached", ...PATIENCE });
      await page.waitForTimeout(MEANT_AFTER_MS);
      assert.equal(await page.locator("[data-receipt]").count(), 0, "closing something answered the card");
      assert.equal(await page.locator("[data-card]").count(), 1);
      await page.locator("#words").focus();
      await page.keyboard.press("Escape");
      await waitForReceipt(page, "Declined");
      same(trouble, []);
    }),

  "words that are put right take their card with them, and stay marked after a reload": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya Nair that Monday works");
      await waitForCard(page, "Send this reply?");
      const wrong = page.locator("[data-message]", { hasText: "Priya Nair that Monday" }).first();
      await wrong.focus();
      await wrong.getByRole("button", { name: "Edit and say again" }).click();
      await page.getByLabel("What you meant to say").fill("Reply to Leo that Monday works");
      await page.getByRole("button", { name: "Say this instead" }).click();
      await waitForReceipt(page, "Declined, nothing was sent");
      await card(page).getByText(/Leo/).first().waitFor(PATIENCE);
      await waitForCard(page, "Send this reply?");
      assert.equal(await page.locator("[data-card]").count(), 1, "both cards wait");
      await page.reload();
      await waitForCard(page, "Send this reply?");
      await wrong.getByText("corrected below").waitFor(PATIENCE);
      assert.equal(await page.getByText("corrected below").count(), 1);
      // What is put right about a card is no other card.
      await say(page, "Make the subject Launch");
      await card(page).getByText("Launch", { exact: true }).first().waitFor(PATIENCE);
      const said = page.locator("[data-message]", { hasText: "Make the subject Launch" }).first();
      await said.focus();
      await said.getByRole("button", { name: "Edit and say again" }).click();
      await page.getByLabel("What you meant to say").fill("Make the subject Lunch");
      await page.getByRole("button", { name: "Say this instead" }).click();
      await card(page).getByText("Lunch", { exact: true }).first().waitFor(PATIENCE);
      assert.equal(await page.locator("[data-receipt]").count(), 1, "the card was declined with the change to it");
      same(trouble, []);
    }),

  "a card that waits behind another says which one is first, and leads to it": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        prefers: {},
        viewport: { width: 1200, height: 640 },
      });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await say(page, "Book lunch with Tom on Friday at twelve");
      const second = page.locator("[data-card]").nth(1);
      await second.getByText("2 of 2 waiting").waitFor(PATIENCE);
      same(await second.locator("[data-hint]").textContent(), "First the one above: Send to Priya Nair?");
      await picture(page, "a card behind another");
      await second.getByRole("button", { name: "Send to Priya Nair?" }).click();
      await page.waitForFunction(() => document.activeElement === document.querySelector("[data-card]"));
      await card(page).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      await card(page).locator("[data-hint]", { hasText: "Say “create it”" }).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "one of several is chosen by its number, and by a tap; the plan shows how far it is": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      const choices = page.locator("[data-choices]");
      await say(page, SENTENCE);
      await choices.getByRole("button", { name: /Sam Whitaker/ }).waitFor(PATIENCE);
      await page.locator("#words").fill("2");
      assert.equal(await choices.count(), 1, "a number that was written in the box chose somebody");
      await page.locator("#words").fill("");
      await choices.getByRole("button").first().focus();
      await page.keyboard.press("2");
      await reads(page, "Who is “her”");
      // Nobody reads the names sooner, and a press so soon behind another one is none.
      await page.waitForTimeout(800);
      await choices.getByRole("button", { name: /Dana Whitfield/ }).click();
      await waitForCard(page, "Send this reply?");
      await card(page).getByText("Sam Whitaker").first().waitFor(PATIENCE);
      const plan = page.getByRole("region", { name: /^Plan/ });
      same(await plan.locator("li").evaluateAll((all) => all.map(({ dataset }) => dataset.status)), [
        "done",
        "asking",
        "waiting",
      ]);
      assert.equal(await choices.count(), 0, "a question that was answered still stands there");
      same(trouble, []);
    }),

  "a card is changed in place, and by words; what is changed is marked, and the next card is in sight": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await toTheCard(page);
      await card(page).getByRole("button", { name: "Edit" }).click();
      await card(page).getByLabel("Text").fill("");
      await card(page).getByRole("button", { name: "Save & send" }).click();
      await card(page).getByText("This can’t be empty.").waitFor(PATIENCE);
      await page.keyboard.press("Escape");
      await card(page).getByRole("button", { name: "Send email" }).waitFor(PATIENCE);
      assert.equal(await page.locator("[data-card]").count(), 1, "leaving the fields answered the card");
      await say(page, "say I will bring cake");
      await card(page).getByText("changed").waitFor(PATIENCE);
      await card(page).getByText("I will bring cake").waitFor(PATIENCE);
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Edit" }).click();
      await card(page).getByLabel("Subject").fill("Hot water, and cake");
      await card(page).getByRole("button", { name: "Save & send" }).click();
      await page.locator("[data-receipt]", { hasText: "Hot water, and cake" }).getByText("Sent").waitFor(PATIENCE);
      await waitForCard(page, "Put this on your calendar?");
      await page.waitForFunction(
        () => {
          const { bottom } = document.querySelector("[data-card]").getBoundingClientRect();
          return bottom <= document.querySelector("[data-scroller]").getBoundingClientRect().bottom + 1;
        },
        undefined,
        PATIENCE,
      );
      same(trouble, []);
    }),

  "what was changed in a card is still there after a look back, until it is discarded": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      const press = (name) => card(page).getByRole("button", { name }).click();
      const subject = card(page).getByLabel("Subject");
      await press("Edit");
      const before = await subject.inputValue();
      assert.equal(await card(page).getByRole("button", { name: "Discard" }).count(), 0, "nothing is discarded");
      await subject.fill("Hot water, and cake");
      await page.keyboard.press("Escape");
      await card(page).getByText("Your changes are kept and not sent").waitFor(PATIENCE);
      await waitForCard(page, "Send this reply?");
      await press("Edit");
      assert.equal(await subject.inputValue(), "Hot water, and cake", "Esc threw away what was written");
      await press("Back");
      await waitForCard(page, "Send this reply?");
      await press("Edit");
      await press("Discard changes");
      await waitForCard(page, "Send this reply?");
      await press("Edit");
      assert.equal(await subject.inputValue(), before, "what was discarded is still there");
      same(trouble, []);
    }),

  "a card that is out of sight has a line above the box that leads back to it": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url, { prefers: {}, viewport: { width: 390, height: 700 } });
      await toTheCard(page);
      await page.waitForFunction(() => document.title.startsWith("● Confirm"), undefined, PATIENCE);
      await page.locator("[data-scroller]").hover();
      await page.mouse.wheel(0, -3000);
      const dock = page.locator("[data-dock]");
      await dock.getByText("Send to Leo Marchetti?").waitFor(PATIENCE);
      await dock.click();
      await page.waitForFunction(() => document.activeElement?.matches("[data-card]"), undefined, PATIENCE);
      // Its beginning first; from there, where it is taller than the screen, on to its buttons.
      await page.waitForTimeout(400);
      if (await dock.count()) await dock.click();
      await dock.waitFor({ state: "detached", ...PATIENCE });
      await card(page).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      assert.equal(await page.locator("[data-offer]").count(), 0, "something is offered that leads nowhere");
    }),

  "the server dies while it sends: what became of it is found out, shown, and not done twice": () =>
    inHouse(
      [],
      async (house, browser) => {
        const { page } = await visit(browser, house.url, { prefers: {} });
        await agreeToTheReply(page);
        await house.died();
        await page.locator("[data-banner]").waitFor(PATIENCE);
        await house.start();
        await waitForReceipt(page, "It did go out");
        assert.equal(await page.locator("[data-receipt]").count(), 1);
        await page.reload();
        await waitForReceipt(page, "It did go out");
        assert.equal(await page.locator("[data-card]").count(), 0);
      },
      { peril: "before:settled:1" },
    ),

  "while nobody can tell whether it went out, that is what stands there; what is found out takes its place": () =>
    inHouse(
      [],
      async (house, browser) => {
        const { page } = await visit(browser, house.url, { prefers: {} });
        await agreeToTheReply(page);
        await house.died();
        house.hold("probing");
        await house.start();
        const checking = page.locator('[data-receipt][data-tone="unsure"]', { hasText: "Not known yet, checking" });
        await checking.getByText("It will not be done twice").waitFor(PATIENCE);
        await page.reload();
        await checking.waitFor(PATIENCE);
        assert.equal(await page.locator("[data-receipt]").count(), 1);
        house.letGo("probing");
        await page.locator('[data-receipt][data-tone="done"]', { hasText: "It did go out" }).waitFor(PATIENCE);
        assert.equal(await page.locator("[data-receipt]").count(), 1);
      },
      { peril: "before:settled:1" },
    ),

  "what turns out not to have gone out is tried again, and one sees that": () =>
    inHouse(
      [],
      async (house, browser) => {
        const { page } = await visit(browser, house.url, { prefers: {} });
        await agreeToTheReply(page);
        await house.died();
        house.hold("sending");
        await house.start();
        const again = page.locator('[data-receipt][data-tone="busy"]', { hasText: "It did not go out, trying again" });
        await again.waitFor(PATIENCE);
        house.letGo("sending");
        await page.locator('[data-receipt][data-tone="done"]', { hasText: /^Sent/ }).waitFor(PATIENCE);
        assert.equal(await page.locator("[data-receipt]").count(), 1);
      },
      { peril: "before:sending:1" },
    ),

  "a yes that cannot be carried out says so and why, also after a reload": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      const recorded = async (what) => (await house.ask(`/control/audit?tool=gmail.send&what=${what}`)).lines.length;
      house.hold("sending");
      await agreeToTheReply(page);
      await page.locator('[data-receipt][data-tone="busy"]', { hasText: "Sending…" }).waitFor(PATIENCE);
      await house.ask("/control/switches", { off: true });
      house.letGo("sending");
      const failed = page.locator('[data-receipt][data-tone="bad"]', { hasText: "Not sent: all changes are paused" });
      await failed.waitFor(PATIENCE);
      await reads(page, /paused/);
      assert.equal(await failed.getByRole("button", { name: "Undo" }).count(), 0);
      await page.reload();
      await failed.waitFor(PATIENCE);
      same([await recorded("failed_clean"), await recorded("confirmed")], [1, 0]);
      same(trouble, []);
    }),

  "what was noted is taken back from its receipt": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Remember that Tom is allergic to nuts");
      await waitForCard(page, "Remember this?");
      await card(page).getByRole("button", { name: "Remember it" }).click();
      await waitForReceipt(page, "Noted");
      await page.locator("[data-receipt]").getByRole("button", { name: "Undo" }).click();
      await waitForCard(page, /Forget/);
      await card(page).getByRole("button", { name: "Forget it" }).click();
      await waitForReceipt(page, "Forgotten");
      const noted = page.locator("[data-receipt]", { hasText: "Noted" });
      await noted.getByText("Taken back").waitFor(PATIENCE);
      assert.equal(await noted.getByRole("button", { name: "Undo" }).count(), 0, "it can be taken back twice");
      await page.reload();
      await noted.getByText("Taken back").waitFor(PATIENCE);
      same(trouble, []);
    }),

  "what was put on the calendar is taken back from its receipt, and asked about first": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Book coffee with Ana on Thursday at 10 am");
      await waitForCard(page, "Put this on your calendar?");
      await card(page).getByRole("button", { name: "Create event" }).click();
      await waitForReceipt(page, "Created");
      await page.locator("[data-receipt]").getByRole("button", { name: "Undo" }).click();
      await waitForCard(page, "Cancel this event?");
      await card(page).getByText("Coffee with Ana").waitFor(PATIENCE);
      await reads(page, /^Cancel “Coffee with Ana” on Thursday \d+ [A-Z]\w+ at 10:00 am$/);
      await card(page).getByRole("button", { name: "Keep it" }).click();
      await waitForReceipt(page, "Declined, nothing was cancelled");
      const created = page.locator("[data-receipt]", { hasText: "Created" });
      await created.getByRole("button", { name: "Undo" }).waitFor(PATIENCE);
      await say(page, "cancel the coffee with Ana");
      await waitForCard(page, "Cancel this event?");
      await card(page).getByRole("button", { name: "Cancel event" }).click();
      await waitForReceipt(page, "Cancelled");
      await created.getByText("Taken back").waitFor(PATIENCE);
      same(trouble, []);
    }),

  "an event that moves is shown as it is and as it would be": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "move the design review to 5 pm");
      await waitForCard(page, "Move this event?");
      const rows = card(page).locator("dt");
      same((await rows.allTextContents()).slice(0, 3), ["What", "Now", "Moves to"]);
      await card(page).getByRole("button", { name: "Move event" }).click();
      await waitForReceipt(page, "Moved");
      await reads(page, /Moved to .* at 5/);
      same(trouble, []);
    }),
};

/** A reply that is agreed to, and on its way from then on. */
async function agreeToTheReply(page) {
  await say(page, "Reply to Priya Nair that Thursday works");
  await waitForCard(page, "Send this reply?");
  await card(page).getByRole("button", { name: "Send email" }).click();
}

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
