/** What people do with the page, one scenario each. Every one has a server of its own. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { microphone } from "./browser.mjs";
import { withModel } from "./elsewhere.mjs";
import { spoken } from "./house.mjs";
import { bubbles, card, PATIENCE, reads, same, say, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { alone, aloud, inHouse, SENTENCE, toTheCard } from "./scene.mjs";

const FLUSH_WITHIN_MS = 60;

export const scenarios = {
  "two writes in one sentence, by keyboard alone": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      await toTheCard(page);
      await page.keyboard.press("Alt+c");
      await page.keyboard.press("Control+Enter");
      await waitForReceipt(page, "Sent");
      await waitForCard(page, "Put this on your calendar?");
      await page.keyboard.press("Alt+c");
      await page.keyboard.press("Control+Enter");
      await waitForReceipt(page, "Created");
      await reads(page, "is on your calendar");
      same(trouble, []);
    }),

  "two writes in one sentence, the sentence spoken": aloud(() =>
    inHouse(
      async () => microphone(await spoken(SENTENCE)),
      async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url, { permissions: ["microphone"] });
        await page.locator("[data-mic]").click();
        await reads(page, "Who is “him”");
        await say(page, "Leo");
        await reads(page, "Who is “her”");
        await say(page, "Dana");
        await waitForCard(page, "Send this reply?");
        await card(page).getByRole("button", { name: "Send email" }).click();
        await waitForReceipt(page, "Sent");
        await waitForCard(page, "Put this on your calendar?");
        await card(page).getByRole("button", { name: "Create event" }).click();
        await waitForReceipt(page, "Created");
        same(trouble, []);
      },
    ),
  ),

  "Enter in the box never says yes": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      await toTheCard(page);
      await page.locator("#words").focus();
      await page.keyboard.press("Enter");
      await page.waitForTimeout(800);
      assert.equal(await page.locator("[data-card]").count(), 1);
    }),

  "reload with a card open, and after it: nothing twice, nothing lost": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      await toTheCard(page);
      const before = await bubbles(page);
      await page.reload();
      await waitForCard(page, "Send this reply?");
      same(await bubbles(page), before);
      await card(page).getByRole("button", { name: "Don’t send" }).click();
      await waitForReceipt(page, "Declined");
      await page.waitForTimeout(1500);
      const after = await bubbles(page);
      await page.reload();
      await waitForReceipt(page, "Declined");
      same(await bubbles(page), after);
    }),

  "the server dies with a card open and comes back": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      await toTheCard(page);
      const before = await bubbles(page);
      await house.kill();
      await page.locator("[data-banner]").waitFor({ timeout: 20_000 });
      assert.equal(await card(page).getByRole("button", { name: "Send email" }).getAttribute("aria-disabled"), "true");
      await say(page, "What meetings do I have tomorrow?");
      await page.getByText("Kept here: a card waits, so you’ll be asked first").waitFor(PATIENCE);
      assert.equal(
        await page.getByText("Will be sent when you’re back").count(),
        0,
        "what may not be sent was promised",
      );
      await house.start();
      await page.getByText("Not sent: a card waits for an answer").waitFor({ timeout: 40_000 });
      same((await bubbles(page)).slice(0, before.length), before);
      await page.getByRole("button", { name: "Send", exact: true }).first().click();
      await page
        .locator("[data-message]")
        .nth(before.length + 1)
        .waitFor({ timeout: 40_000 });
      await waitForCard(page, "Send this reply?");
    }),

  "words written without a connection beside a card keep their place, and can be taken away": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await house.kill();
      await page.locator("[data-banner]").waitFor({ timeout: 20_000 });
      await say(page, "Any new mail from Priya Nair?");
      await say(page, "And what did Ingrid say?");
      await page.getByText("Kept here: a card waits").nth(1).waitFor(PATIENCE);
      await page.reload().catch(() => undefined);
      await house.start();
      await page.goto(house.url);
      const unsent = page.getByRole("article", { name: "You, not sent yet" });
      await unsent.nth(1).getByText("Not sent: a card waits for an answer").waitFor(PATIENCE);
      await unsent.nth(1).getByRole("button", { name: "Remove" }).click();
      await unsent.nth(1).waitFor({ state: "detached", ...PATIENCE });
      await say(page, "When am I free on Thursday?");
      await reads(page, "When am I free on Thursday?");
      // For a moment it is on its way, and then only the one that was held back is unsent.
      await unsent.nth(1).waitFor({ state: "detached", ...PATIENCE });
      const order = await page
        .locator("article")
        .evaluateAll((all) => all.map((one) => one.querySelector("[dir]")?.textContent ?? ""));
      const [kept, later] = [
        order.indexOf("Any new mail from Priya Nair?"),
        order.indexOf("When am I free on Thursday?"),
      ];
      assert.ok(kept >= 0 && kept < later, `what was written first stands last: ${order.join(" / ")}`);
      await unsent.getByRole("button", { name: "Send", exact: true }).click();
      await unsent.waitFor({ state: "detached", ...PATIENCE });
      same(trouble, []);
    }),

  "two tabs, one card: answered once, closed in both": () =>
    inHouse([], async (house, browser) => {
      const { page, context } = await visit(browser, house.url);
      await toTheCard(page);
      const id = await page.evaluate(() => sessionStorage.getItem("sayso.session_id"));
      const other = await context.newPage();
      await other.addInitScript((session) => sessionStorage.setItem("sayso.session_id", session), id);
      await other.goto(house.url);
      await waitForCard(other, "Send this reply?");
      await card(other).getByRole("button", { name: "Send email" }).click();
      await waitForReceipt(other, "Sent");
      await waitForReceipt(page, "Sent");
      await page.getByText("Answered in another window").waitFor();
    }),

  "the microphone is refused, and there is none": () =>
    inHouse(["--use-fake-device-for-media-stream"], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      for (const [name, kind] of [
        ["NotAllowedError", "denied"],
        ["NotFoundError", "no_device"],
        ["NotReadableError", "device_in_use"],
      ]) {
        await page.evaluate((error) => {
          navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", error));
        }, name);
        await page.locator("[data-mic]").click();
        await page.locator(`[data-trouble="${kind}"]`).waitFor();
      }
      await page.evaluate(() => Object.defineProperty(navigator, "mediaDevices", { value: undefined }));
      await page.locator("[data-mic]").click();
      await page.locator('[data-trouble="insecure_context"]').waitFor();
    }),

  "an answer says who gave it: the rules, or a model and where it is": () =>
    withModel("small-1", "Because air scatters blue light most.", (settings) =>
      inHouse(
        [],
        async (house, browser) => {
          const { page, trouble } = await visit(browser, `${house.url}?debug`);
          const answers = page.locator('[data-message][aria-label^="Sayso"]');
          await say(page, "What meetings do I have tomorrow?");
          await answers
            .first()
            .locator('[data-by="reflex"]')
            .waitFor({ state: "attached", ...PATIENCE });
          await say(page, "Why is the sky blue?");
          await reads(page, /scatters blue light/);
          const by = answers.nth(1).locator('[data-by="local"]');
          await by.getByText("small-1").waitFor(PATIENCE);
          await page.keyboard.press("Control+.");
          const drawer = page.getByRole("complementary", { name: "Inspector" });
          await drawer.getByText("small-1, on this machine").waitFor(PATIENCE);
          await page.reload();
          await by.getByText("small-1").waitFor(PATIENCE);
          same(trouble, []);
        },
        { settings },
      ),
    ),

  "a reminder is set, and taken back before it comes": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      await say(page, "Remind me tomorrow at 9 to water the plants");
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("Taken back", { exact: true }).waitFor(PATIENCE);
      await say(page, "What reminders do I have?");
      await reads(page, "No reminders are set.");
      same(trouble, []);
    }),

  "a file too large is refused before it is sent": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      const file = join(house.folder, "large.txt");
      writeFileSync(file, "x".repeat(26 * 1024 * 1024));
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText("larger than 25 MB", { exact: true }).waitFor();
    }),

  "a question is spoken and answered aloud; Esc cuts the voice off": alone(() =>
    inHouse(
      async () => microphone(await spoken("What meetings do I have tomorrow?")),
      async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url, { permissions: ["microphone"] });
        await page.locator("[data-mic]").click();
        await page.locator("[data-message]").nth(1).waitFor({ timeout: 60_000 });
        await page.locator("[data-status]", { hasText: "Speaking" }).waitFor({ timeout: 60_000 });
        await page.waitForTimeout(300);
        await page.keyboard.press("Escape");
        await page.waitForFunction(() => performance.getEntriesByName("sayso.flush").length > 0);
        const flushMs = await page.evaluate(() => performance.getEntriesByName("sayso.flush")[0].duration);
        console.log(`  the voice is silent ${flushMs.toFixed(1)} ms after Esc (aim ${FLUSH_WITHIN_MS} ms)`);
        await page.locator("[data-status]", { hasText: "Speaking" }).waitFor({ state: "detached", timeout: 5000 });
        assert.match((await bubbles(page))[0], /meetings.*to-?morrow/i);
        same(trouble, []);
      },
    ),
  ),
};
