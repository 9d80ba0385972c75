/** Who it is, what is known of them, and what they said before. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { keepsDraft, leftBehind, placesOf } from "./device.mjs";
import { card, LIVE, PATIENCE, reads, same, say, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { inHouse } from "./scene.mjs";

/** Opens with a key, and there is one. */
const LOCKED = {
  settings: "[auth]\nrequired = true\n",
  async before(house) {
    house.key = await house.run("keys", "create", "--name", "e2e");
  },
};
const remark = (page) => page.locator("[data-scroller]");

export const people = {
  "a key opens the page, a wrong one does not, and signing out leaves nothing behind": () =>
    inHouse(
      [],
      async (house, browser) => {
        const { key } = house;
        const { page, trouble } = await visit(browser, house.url, { waitsFor: "#sign-in-key" });
        await page.locator("#sign-in-key").fill("sk_that_opens_nothing");
        await page.getByRole("button", { name: "Come in" }).click();
        await page.getByRole("alert").getByText("not valid").waitFor(PATIENCE);
        await page.locator("#sign-in-key").fill(key);
        await page.getByRole("button", { name: "Come in" }).click();
        await page.locator(LIVE).waitFor(PATIENCE);
        await page.locator("#sign-in-key").waitFor({ state: "detached" });
        await say(page, "What meetings do I have tomorrow?");
        await reads(page, "tomorrow");
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        assert.ok(!page.url().includes(key));
        await page.reload();
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        await page.locator("#words").fill("half a sentence");
        await keepsDraft(page, "half a sentence");
        same(await placesOf(page, key), []);
        await page.getByRole("button", { name: "Settings" }).first().click();
        await page.getByRole("button", { name: "Sign out and wipe" }).click();
        await page.getByRole("button", { name: "Keep it" }).click();
        await page.getByRole("button", { name: "Sign out and wipe" }).click();
        assert.equal(await page.locator("#sign-in-key").count(), 0, "once was enough to wipe everything");
        await page.getByRole("button", { name: "Wipe it" }).click();
        await page.getByText("Wiped: nothing of yours is kept").first().waitFor(PATIENCE);
        await page.locator("#sign-in-key").waitFor(PATIENCE);
        assert.equal(await remark(page).locator("[data-message]").count(), 0);
        assert.equal(await page.locator("#words").inputValue(), "");
        same(await leftBehind(page), []);
        same(trouble, []);
      },
      LOCKED,
    ),

  "a memory is kept, found, traced and let go; memory rests in a chat": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      for (const fact of ["Tom is allergic to nuts", "my locker code is 4415"]) {
        await say(page, `Remember that ${fact}`);
        await waitForCard(page, "Remember this?");
        await card(page).getByRole("button", { name: "Remember it" }).click();
        await page.locator("[data-card]").waitFor({ state: "detached", ...PATIENCE });
        await waitForReceipt(page, "Noted");
      }
      await page.getByRole("button", { name: "Memory", exact: true }).click();
      const sheet = page.getByRole("dialog", { name: "Memory" });
      await sheet.getByText("allergic to nuts").waitFor(PATIENCE);
      assert.equal(await sheet.locator("li").count(), 2);
      await sheet.getByRole("searchbox").fill("peanut allergy of Tom");
      await sheet.locator("li").first().getByText("allergic to nuts").waitFor(PATIENCE);
      await sheet.getByRole("searchbox").fill("");
      await sheet.getByText("locker code").waitFor(PATIENCE);
      await sheet.getByRole("button", { name: /^Forget: .*locker/ }).click();
      await sheet.getByRole("button", { name: "Keep it" }).click();
      await sheet.getByRole("button", { name: /^Forget: .*locker/ }).click();
      await sheet.getByRole("button", { name: "Forget it" }).click();
      await sheet.getByText("locker code").waitFor({ state: "detached", ...PATIENCE });
      assert.equal(await sheet.locator("li").count(), 1);
      const coming = page.waitForEvent("download");
      await sheet.getByRole("button", { name: "Save to a file" }).click();
      const saved = await coming;
      assert.equal(saved.suggestedFilename(), "memories.jsonl");
      const lines = readFileSync(await saved.path(), "utf8")
        .trimEnd()
        .split("\n");
      same(
        lines.map((line) => JSON.parse(line).text),
        ["Tom is allergic to nuts"],
        "what was forgotten is in the file, or what is remembered is not",
      );
      await sheet.getByRole("button", { name: "Where I was told" }).click();
      await reads(page, "Remember that Tom is allergic to nuts");
      await page.getByRole("button", { name: "Memory", exact: true }).click();
      await sheet.getByRole("button", { name: "Pause memory here" }).click();
      await reads(page, "pause memory in this chat");
      await page.getByRole("button", { name: "Memory", exact: true }).click();
      await sheet.getByRole("button", { name: "Use memory again" }).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "the pace of the voice is set, the language is told, and a key is changed": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const rail = page.getByRole("navigation", { name: "Chats" });
      await rail.getByRole("button", { name: "Settings" }).click();
      await page.getByLabel("Speed").fill("130");
      await page.getByText("130 % of the voice’s own pace").waitFor(PATIENCE);
      await page.locator('[data-language="en"]').getByText("English").waitFor(PATIENCE);
      await page.getByRole("button", { name: "Close settings" }).click();
      await say(page, "speak at normal speed");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await rail.getByRole("button", { name: "Settings" }).click();
      await page.getByText("As the voice speaks by itself").waitFor(PATIENCE);
      await page.getByRole("button", { name: "Close settings" }).click();

      await rail.getByRole("button", { name: "Keyboard shortcuts" }).click();
      const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      const change = keys.getByRole("button", { name: "Change: Chats" });
      await change.click();
      await keys.getByText("Press Alt or Ctrl together").waitFor(PATIENCE);
      await page.keyboard.press("Control+u");
      await keys.getByText("Those keys are for “Attach a file”.").waitFor(PATIENCE);
      await change.click();
      await keys.getByText("Press Alt or Ctrl together").waitFor(PATIENCE);
      await page.keyboard.press("Control+j");
      await keys.getByText("All keys as they were").waitFor(PATIENCE);
      await page.getByRole("button", { name: "Close keyboard shortcuts" }).click();
      await page.keyboard.press("Control+j");
      await page.locator("#chat-search:focus").waitFor(PATIENCE);
      same(trouble, []);
    }),

  "settings tell whose mail and calendar these are, and that nothing leaves the machine": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const settings = page.getByRole("dialog", { name: "Settings" });
      const account = (kind) => settings.locator(`[data-account="${kind}"]`);
      const holds = async (kind) =>
        Number(/, ([\d,.]+)\s/.exec(await account(kind).textContent())[1].replaceAll(/\D/g, ""));
      await page.getByRole("button", { name: "Settings" }).first().click();
      await account("mail").getByText("Sample mailbox on the machine Sayso runs on").waitFor(PATIENCE);
      await account("mail").getByText("it reaches nobody").waitFor(PATIENCE);
      await account("mail").getByText("maya").waitFor(PATIENCE);
      await account("calendar").getByText("nobody you invite is told").waitFor(PATIENCE);
      assert.equal(await settings.getByRole("button", { name: /connect/i }).count(), 0);
      const before = await holds("mail");
      await page.getByRole("button", { name: "Close settings" }).click();
      await say(page, "Reply to Priya Nair that Thursday works");
      await waitForCard(page, "Send this reply?");
      await card(page).getByRole("button", { name: "Send email" }).click();
      await waitForReceipt(page, "Sent");
      await page.getByRole("button", { name: "Settings" }).first().click();
      await account("mail").waitFor(PATIENCE);
      assert.equal(await holds("mail"), before + 1, "what was sent is somewhere else");
      same(trouble, []);
    }),

  "chats are found, renamed, saved and deleted": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      await say(page, "What meetings do I have tomorrow?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await page.getByRole("button", { name: "New chat" }).click();
      await page.getByText("What’s on your mind").waitFor(PATIENCE);
      await page.locator(LIVE).waitFor(PATIENCE);
      await say(page, "Any new mail from Priya?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      const rail = page.getByRole("navigation", { name: "Chats" });
      const rows = rail.locator("li");
      await rows.nth(1).waitFor(PATIENCE);
      await rail.getByLabel("Search chats").fill("meetings");
      await page.waitForFunction(() => document.querySelectorAll("#rail li").length === 1, undefined, PATIENCE);
      // Its title, and below it what was found.
      await rows
        .first()
        .locator("button span", { hasText: /meetings/i })
        .nth(1)
        .waitFor(PATIENCE);
      await rows.first().getByRole("button").first().click();
      await reads(page, "What meetings do I have tomorrow?");
      await rail.getByLabel("Search chats").fill("");
      await rows.nth(1).waitFor(PATIENCE);

      await rail.getByRole("button", { name: "More about What meetings" }).click();
      await rail.getByRole("button", { name: "Rename" }).click();
      await rail.getByLabel("Name of this chat").fill("Tomorrow");
      await page.keyboard.press("Enter");
      await rail.getByRole("button", { name: "Tomorrow", exact: true }).waitFor(PATIENCE);
      await page.locator("h1", { hasText: "Tomorrow" }).waitFor(PATIENCE);

      for (const [item, has] of [
        ["Save as text", /What meetings do I have tomorrow\?/],
        ["Save as JSON", /"role"/],
      ]) {
        await rail.getByRole("button", { name: "More about Tomorrow" }).click();
        const coming = page.waitForEvent("download");
        await rail.getByRole("button", { name: item }).click();
        assert.match(readFileSync(await (await coming).path(), "utf8"), has);
      }

      await rail.getByRole("button", { name: "More about Tomorrow" }).click();
      await rail.getByRole("button", { name: "Delete" }).click();
      await rail.getByText("Delete “Tomorrow” for good?").waitFor(PATIENCE);
      await rail.getByRole("button", { name: "Delete" }).click();
      await rail.getByRole("button", { name: "Tomorrow", exact: true }).waitFor({ state: "detached", ...PATIENCE });
      await page.getByText("What’s on your mind").waitFor(PATIENCE);
      await rail
        .getByRole("button", { name: /^Any new mail/ })
        .first()
        .click();
      await reads(page, "Any new mail from Priya?");
      same(trouble, []);
    }),

  "more chats than a screen has: earlier ones come when asked for, and each opens": () =>
    inHouse(
      [],
      async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url);
        await page.goto(`${house.url}healthz`);
        await page.evaluate(beginChats, CHATS);
        await page.goto(house.url);
        const rail = page.getByRole("navigation", { name: "Chats" });
        const names = () =>
          rail.locator("li > button:first-child").evaluateAll((all) => all.map((one) => one.textContent));
        const all = Array.from({ length: CHATS }, (_, at) => `Hello from chat ${CHATS - at}`);
        await rail
          .locator("li")
          .nth(SHOWN_AT_FIRST - 1)
          .waitFor(PATIENCE);
        same(await names(), all.slice(0, SHOWN_AT_FIRST));
        const earlier = rail.getByRole("button", { name: "Earlier chats" });
        await earlier.click();
        await earlier.waitFor({ state: "detached", ...PATIENCE });
        same(await names(), all, "a chat is missing, twice there, or out of its order");
        await rail.getByRole("button", { name: "Hello from chat 1", exact: true }).click();
        await reads(page, "Hello from chat 1");
        await page.locator(LIVE).waitFor(PATIENCE);
        await say(page, "And once more");
        await reads(page, "And once more");
        // What was just talked in is the newest again, and stands there once.
        await page.waitForFunction(
          () => document.querySelector("#rail li")?.dataset.current === "true",
          undefined,
          PATIENCE,
        );
        same(await names(), ["Hello from chat 1", ...all.slice(0, -1)]);
        same(trouble, []);
      },
      { settings: "[limits]\ntext_per_minute = 0\nsessions_per_minute = 0\n" },
    ),
};

const CHATS = 47;
const SHOWN_AT_FIRST = 40;

/** Chats of one sentence each, one after the other. */
async function beginChats(count) {
  for (let chat = 1; chat <= count; chat += 1) {
    const begun = await fetch("/chat/session/start", { method: "POST" });
    const { session_id } = await begun.json();
    const socket = new WebSocket(`/chat/stream?session_id=${session_id}`);
    await new Promise((go, fail) => {
      socket.onclose = ({ code, reason }) => fail(new Error(`closed ${code} ${reason}`));
      socket.onopen = () =>
        socket.send(
          JSON.stringify({
            event_id: `evt_chat_${chat}`,
            event_type: "text.input",
            payload: { text: `Hello from chat ${chat}` },
          }),
        );
      socket.onmessage = ({ data }) => JSON.parse(data).event_type === "turn.end" && go();
    });
    socket.close();
  }
}
