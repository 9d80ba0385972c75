/** Work that one watches and stops, and answers that one takes along. */
import assert from "node:assert/strict";
import { bubbles, PATIENCE, reads, same, say, status, visit } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const QUESTION = "What meetings do I have tomorrow?";
/** From where a job is taken up to where it has something to keep. */
const A_STEP_MS = 500;
/** By then whatever was let go and not stopped would be done. */
const LONG_ENOUGH_MS = 1500;

const answer = (page) => page.locator('[data-message][aria-label^="Sayso"]');
const tool = (page, label) => page.locator("[data-tool]", { hasText: label });

export const work = {
  "an answer is copied, word for word, also where the page may not use the clipboard": () =>
    inHouse([], async (house, browser) => {
      const permissions = ["clipboard-read", "clipboard-write"];
      const { page, trouble } = await visit(browser, house.url, { prefers: {}, permissions });
      await say(page, QUESTION);
      await answer(page).first().getByRole("button", { name: "Copy" }).waitFor(PATIENCE);
      const told = (await bubbles(page))[1].replace(/^Sayso: /, "");
      assert.ok(told.length > 20, told);
      const copied = async () => {
        await answer(page).first().hover();
        await answer(page).first().getByRole("button", { name: "Copy" }).click();
        await answer(page).first().getByRole("button", { name: "Copied" }).waitFor(PATIENCE);
        return page.evaluate(() => navigator.clipboard.readText());
      };
      assert.equal(await copied(), told);
      await page.evaluate(async () => {
        await navigator.clipboard.writeText("something else");
        navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      });
      await answer(page).first().getByRole("button", { name: "Copy", exact: true }).waitFor(PATIENCE);
      assert.equal(await copied(), told);
      same(trouble, []);
    }),

  "what is opened at the end of a thread stays where it was pressed, and the end is followed again once it is closed":
    () =>
      inHouse([], async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url, {
          prefers: {},
          viewport: { width: 1000, height: 520 },
        });
        for (const at of [0, 1, 2]) {
          await say(page, QUESTION);
          await answer(page).nth(at).getByRole("button", { name: "Copy" }).waitFor(PATIENCE);
        }
        const row = page.locator("[data-tool] button").last();
        const top = async () => Math.round((await row.boundingBox()).y);
        const before = await top();
        for (const press of [() => row.click(), () => page.keyboard.press("Enter")]) {
          await press();
          await page.waitForTimeout(700);
          assert.ok(Math.abs((await top()) - before) <= 1, `what was pressed went from ${before} to ${await top()}`);
        }
        await say(page, QUESTION);
        await answer(page).nth(3).getByRole("button", { name: "Copy" }).waitFor(PATIENCE);
        await page.waitForFunction(() => {
          const box = document.querySelector("[data-scroller]");
          return box.scrollHeight - box.scrollTop - box.clientHeight < 2;
        });
        same(trouble, []);
      }),

  "an answer that comes while somebody reads further up is called a new reply, and what was found is all there": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        prefers: {},
        viewport: { width: 1000, height: 480 },
      });
      for (const at of [0, 1, 2]) {
        await say(page, "Any new mail?");
        await answer(page).nth(at).getByRole("button", { name: "Copy" }).waitFor(PATIENCE);
      }
      await page.locator("[data-scroller]").hover();
      await page.mouse.wheel(0, -2000);
      await page.getByRole("button", { name: "Latest" }).waitFor(PATIENCE);
      await page.getByRole("button", { name: "Latest" }).click();
      house.hold("looking");
      await say(page, QUESTION);
      await page.locator('[data-tool="running"]').waitFor(PATIENCE);
      await page.mouse.wheel(0, -2000);
      await page.getByRole("button", { name: "New reply" }).waitFor(PATIENCE);
      house.letGo("looking");
      await answer(page)
        .nth(3)
        .getByRole("button", { name: "Copy" })
        .waitFor({ state: "attached", ...PATIENCE });
      await page.locator("[data-stop]").waitFor({ state: "detached", ...PATIENCE });
      await page.getByRole("button", { name: "New reply" }).waitFor(PATIENCE);
      // All of them below the answer that names three, and again behind the look-up.
      const told = await answer(page).first().locator("[dir]").textContent();
      assert.match(told, /nine unread mails.*and six more/);
      same(await page.locator("[data-found]").first().locator("li").count(), 9);
      await page.locator("[data-tool] button").first().click();
      await page.locator("[data-tool] li").nth(8).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "long work shows how far it is, and stopped, it is over for good": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      const job = async () => (await house.ask("/chat/jobs")).jobs[0];
      house.hold("job_kept");
      await say(page, "Summarise my unread mail");
      await reads(page, /tell you when/);
      await until(async () => (await job())?.state === "running");
      await page.waitForTimeout(A_STEP_MS);
      // The first step may be kept; the next one is not begun.
      house.hold("job_stepping");
      house.letGo("job_kept");
      const reading = tool(page, "Reading your unread mail");
      const bar = reading.getByRole("progressbar");
      await bar.waitFor(PATIENCE);
      const percent = Number(await bar.getAttribute("aria-valuenow"));
      assert.ok(percent > 0 && percent < 100, `${percent} %`);
      await reading.getByText("mails read").waitFor(PATIENCE);
      const before = await bubbles(page);
      await reading.getByRole("button", { name: "Stop this" }).click();
      await reading.and(page.locator('[data-tool="stopped"]')).waitFor(PATIENCE);
      assert.equal(await bar.count(), 0, "what was stopped still shows how far it is");
      house.letGo("job_stepping");
      await page.waitForTimeout(LONG_ENOUGH_MS);
      const { state, result } = await job();
      same([state, result ?? null], ["cancelled", null]);
      same(await bubbles(page), before, "what was stopped was told all the same");
      await page.reload();
      await reading.and(page.locator('[data-tool="stopped"]')).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "long work that nobody stops brings what it found": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "Summarise my unread mail");
      await reads(page, /tell you when/);
      const reading = tool(page, "Reading your unread mail");
      await reading.and(page.locator('[data-tool="done"]')).waitFor(PATIENCE);
      await answer(page).nth(1).waitFor(PATIENCE);
      assert.equal(await reading.getByRole("button", { name: "Stop this" }).count(), 0);
      same(trouble, []);
    }),

  "a look-up that takes too long is stopped with Esc, and says so": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      house.hold("looking");
      await say(page, QUESTION);
      const looking = page.locator('[data-tool="running"]');
      await looking.waitFor(PATIENCE);
      await page.keyboard.press("Escape");
      await page.locator('[data-tool="stopped"]').waitFor(PATIENCE);
      await status(page, "Ready").waitFor(PATIENCE);
      const before = await bubbles(page);
      house.letGo("looking");
      await page.waitForTimeout(LONG_ENOUGH_MS);
      same(await bubbles(page), before, "what was stopped was answered all the same");
      same(trouble, []);
    }),
};

async function until(isSo) {
  const end = Date.now() + PATIENCE.timeout;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error("it never came to that");
    await new Promise((go) => setTimeout(go, 50));
  }
}
