/** Somebody's first minute, and a page that can be put on a home screen. */
import assert from "node:assert/strict";
import { isOpenToAll, picture } from "./looks.mjs";
import { LIVE, PATIENCE, reads, same, say, visit } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const profile = (page) => page.evaluate(() => fetch("/chat/profile").then((answer) => answer.json()));

export const first = {
  "somebody says who they are once: the server knows it, on every device": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { timezoneId: "Asia/Tokyo" });
      const name = page.getByLabel("What should I call you?");
      await name.fill("Noor Haddad");
      assert.equal(await page.getByLabel("Your time zone").inputValue(), "Asia/Tokyo");
      await isOpenToAll(page);
      await page.getByRole("button", { name: "That’s me" }).click();
      await page.getByRole("heading", { name: "What’s on your mind, Noor?" }).waitFor(PATIENCE);
      await name.waitFor({ state: "detached", ...PATIENCE });
      const { time_zone, onboarded } = await profile(page);
      same({ time_zone, onboarded }, { time_zone: "Asia/Tokyo", onboarded: true });
      const { page: other } = await visit(browser, house.url);
      await other.getByRole("heading", { name: "What’s on your mind, Noor?" }).waitFor(PATIENCE);
      assert.equal(await other.getByLabel("What should I call you?").count(), 0, "they were asked again");
      await other.getByRole("button", { name: "What meetings do I have tomorrow?" }).click();
      await reads(other, "tomorrow");
      await other.locator("[data-message]").nth(1).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "what can be said is in sight at first, beside the question who somebody is, and as wide as it": () =>
    inHouse([], async (house, browser) => {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ]) {
        const { page } = await visit(browser, house.url, { viewport: { width, height } });
        await page.getByLabel("What should I call you?").waitFor({ state: "attached", ...PATIENCE });
        const [last, chips, form, footer] = await page.evaluate(() =>
          [
            "ul[aria-label=Suggestions] li:last-child",
            "ul[aria-label=Suggestions]",
            "form:has(#first-name)",
            "footer",
          ].map((part) => document.querySelector(part).getBoundingClientRect().toJSON()),
        );
        assert.ok(last.bottom <= footer.top, `${width} wide, the last one ends at ${last.bottom} of ${footer.top}`);
        same([chips.left, chips.right], [form.left, form.right]);
      }
    }),

  "what greets people stays where it is while the rest of the page comes": () =>
    inHouse([], async (house, browser) => {
      const prepare = (context) =>
        context.addInitScript(() => {
          globalThis.moved = [];
          const told = (list) => {
            const nodes = list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node));
            const greeting = nodes.filter((node) => node?.parentElement?.closest("[data-scroller]"));
            globalThis.moved.push(...greeting.map(({ textContent }) => textContent));
          };
          new PerformanceObserver(told).observe({ type: "layout-shift", buffered: true });
        });
      for (const prefers of [undefined, {}]) {
        const { page, context } = await visit(browser, house.url, { prefers, prepare });
        const last = prefers ? "Talk" : "Not now";
        await page.getByRole("main").getByRole("button", { name: last, exact: true }).first().waitFor(PATIENCE);
        await page.waitForTimeout(500);
        await picture(page, `what greets people, ${last}`);
        const moved = await page.evaluate(() => globalThis.moved);
        same(moved, []);
        await context.close();
      }
    }),

  "whoever has keys can write at once, and no keyboard comes up on a phone": () =>
    inHouse([], async (house, browser) => {
      const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await page.keyboard.type("What meetings do I have tomorrow?");
      await page.keyboard.press("Enter");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await say(page, "Any new mail from Leo?");
      await page.getByLabel("Search chats").focus();
      await page.locator("[data-message]").nth(3).waitFor(PATIENCE);
      same(await focused(page), "chat-search", "what was being written was taken out of somebody’s hands");
      const phone = await visit(browser, house.url, {
        prefers: {},
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      same(await focused(phone.page), "BODY");
      same([...trouble, ...phone.trouble], []);
    }),

  "with the list of chats put away, the chat has the whole width": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        prefers: {},
        viewport: { width: 1400, height: 800 },
      });
      await page.getByRole("button", { name: "Hide chats" }).click();
      await page.locator("#rail").waitFor({ state: "detached", ...PATIENCE });
      same(await page.evaluate(() => document.querySelector("main").getBoundingClientRect().width), 1400);
      const { left, right } = await page.evaluate(() => document.querySelector("footer form").getBoundingClientRect());
      assert.ok(Math.abs(left - (1400 - right)) <= 1, `the box stands from ${left} to ${right}`);
      same(trouble, []);
    }),

  "who they are is changed in the settings, and a meeting takes as long as they say": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Settings" }).click();
      const sheet = page.getByRole("dialog", { name: "Settings" });
      await sheet.getByLabel("Name", { exact: true }).fill("Noor Haddad");
      await sheet.getByLabel("A meeting takes, unless I say").selectOption("45");
      await sheet.getByLabel("From").fill("08:15");
      await sheet.getByRole("switch", { name: "Models outside this machine" }).click();
      await sheet.locator('[role="switch"][aria-label^="Models"][aria-checked="false"]').waitFor(PATIENCE);
      await isOpenToAll(page);
      const { name, default_meeting_minutes, working_hours, cloud_models } = await profile(page);
      same(
        { name, default_meeting_minutes, from: working_hours.start, cloud_models },
        { name: "Noor Haddad", default_meeting_minutes: 45, from: "08:15", cloud_models: false },
      );
      await sheet.getByLabel("Until").fill("07:00");
      await sheet.getByRole("alert").getByText("must end after").waitFor(PATIENCE);
      await page.getByRole("button", { name: "Close settings" }).click();
      await say(page, "Book a meeting with Tom tomorrow at three");
      await page.locator("[data-card]").getByText("45 min").waitFor(PATIENCE);
      same(trouble, []);
    }),

  "the page can be installed, and a screen reader is asked about": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
      const devtools = await context.newCDPSession(page);
      const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
      // A window without a trace installs nothing, whatever the page is like.
      same(
        installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"),
        [],
      );
      const { data, errors } = await devtools.send("Page.getAppManifest");
      same(errors, []);
      assert.equal(JSON.parse(data).display, "standalone");
      await page.getByRole("button", { name: "I use a screen reader" }).click();
      await page
        .locator("[aria-live]", { hasText: "answers are read out" })
        .waitFor({ state: "attached", ...PATIENCE });
      const { turnStyle, voice } = await page.evaluate(() => JSON.parse(localStorage["sayso.preferences"]));
      same({ turnStyle, voice }, { turnStyle: "hold", voice: "never" });
      await page.locator(LIVE).waitFor(PATIENCE);
      same(trouble, []);
    }),
};
