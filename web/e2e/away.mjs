/** Without a connection: what was said can be read, what is written is kept, what is attached arrives. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { keeps, keepsDraft } from "./device.mjs";
import { isOpenToAll, picture } from "./looks.mjs";
import { LIVE, newChat, PATIENCE, reads, same, say, visit } from "./page.mjs";
import { inHouse } from "./scene.mjs";

export const away = {
  "the page opens without a server, chats can be read, and a draft is still there": () =>
    inHouse([], async (house, browser) => {
      const { page, context } = await visit(browser, house.url);
      await say(page, "What meetings do I have tomorrow?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await isOnDevice(page);
      await page.locator("#words").fill("half a sentence");
      await keeps(page, "both messages", ({ threads }) => threads.some(({ messages }) => messages.length >= 2));
      await keepsDraft(page, "half a sentence");
      await house.kill();
      await page.reload();
      await reads(page, "What meetings do I have tomorrow?");
      await page.waitForFunction(
        () => document.getElementById("words")?.value === "half a sentence",
        undefined,
        PATIENCE,
      );
      await page.locator("#words").press("Enter");
      await page.getByText("Will be sent when you’re back").waitFor(PATIENCE);
      const other = await context.newPage();
      await other.goto(house.url);
      await other
        .getByRole("navigation", { name: "Chats" })
        .getByRole("button", { name: /^What meetings/ })
        .first()
        .click();
      await reads(other, "What meetings do I have tomorrow?");
      await house.start();
      await page.getByText("Will be sent when you’re back").waitFor({ state: "detached", ...PATIENCE });
      await page.locator("[data-message]").nth(3).waitFor(PATIENCE);
    }),

  "words written without a connection outlive their window, come back in their chat and are heard once": () =>
    inHouse([], async (house, browser) => {
      const { page, context, trouble } = await visit(browser, house.url, { prefers: {} });
      await say(page, "What meetings do I have tomorrow?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await keeps(page, "both messages", ({ threads }) => threads.some(({ messages }) => messages.length >= 2));
      await isOnDevice(page);
      const address = page.url();
      await house.kill();
      await page.locator("[data-banner]").waitFor(PATIENCE);
      await say(page, "Any new mail from Priya?");
      const promise = (one) => one.getByText("Will be sent when you’re back");
      await promise(page).waitFor(PATIENCE);
      await page.getByRole("button", { name: "New chat" }).click();
      await page.getByText("What’s on your mind").waitFor(PATIENCE);
      await say(page, "Any new mail from Leo?");
      await promise(page).waitFor(PATIENCE);
      await page.close();
      const blank = await context.newPage();
      await blank.goto(house.url);
      await blank.locator('[aria-label="You, not sent yet"]', { hasText: "Leo" }).waitFor(PATIENCE);
      await promise(blank).waitFor(PATIENCE);
      await blank.close();
      const [one, two] = [await context.newPage(), await context.newPage()];
      for (const tab of [one, two]) {
        await tab.goto(address);
        await reads(tab, "What meetings do I have tomorrow?");
      }
      await one.locator('[aria-label="You, not sent yet"]', { hasText: "Priya" }).waitFor(PATIENCE);
      await promise(one).waitFor(PATIENCE);
      await house.start();
      for (const tab of [one, two]) {
        await tab.evaluate(() => dispatchEvent(new Event("online")));
        await tab.locator("[data-message]", { hasText: "mail from Priya?" }).waitFor(PATIENCE);
        await tab.locator("[data-message]").nth(3).waitFor(PATIENCE);
        same(await tab.locator('[data-message][aria-label^="You"]').count(), 2);
        same(await promise(tab).count(), 0);
      }
      // Whichever of the two has brought them, the list has the chat once it is looked up.
      await one.reload();
      const begun = one.getByRole("navigation", { name: "Chats" }).locator("li", { hasText: "mail from Leo?" });
      await begun.getByRole("button").first().click();
      await one.locator("[data-message]").nth(1).waitFor(PATIENCE);
      same(await begun.count(), 1, "the words began two chats");
      same(await one.locator('[data-message][aria-label^="You"]').count(), 1);
      same(trouble, []);
    }),

  "a file is attached, sent and shown by its name, and asked about": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const file = join(house.folder, "lease.txt");
      writeFileSync(
        file,
        "Lease of the flat.\n\nThe notice period is three months to the end of a quarter.\nThe rent is 1,240 euros.\n",
      );
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByText("lease.txt").first().waitFor(PATIENCE);
      await say(page, "What does it say about the notice period?");
      const bubble = page.locator('[data-message][aria-label^="You"]');
      await bubble.getByText("lease.txt").waitFor(PATIENCE);
      await reads(page, /three months/);
      await page.reload();
      await page.locator('[data-message][aria-label^="You"]').getByText("lease.txt").waitFor(PATIENCE);
      same(trouble, []);
    }),

  "what was written or attached in one chat does not follow into another": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      const row = page.getByRole("navigation", { name: "Chats" }).locator("li", { hasText: "What meetings" });
      const mine = page.locator('[data-message][aria-label^="You"]');
      const tray = page.getByRole("list", { name: "Files to send" });
      await say(page, "What meetings do I have tomorrow?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await keeps(page, "both messages", ({ threads }) => threads.some(({ messages }) => messages.length >= 2));
      const file = join(house.folder, "lease.txt");
      writeFileSync(file, "The notice period is three months.\n");
      await page.locator('input[type="file"]').setInputFiles(file);
      await tray.getByText(/\d B$/).waitFor(PATIENCE);
      await house.kill();
      await page.locator("[data-banner]").waitFor(PATIENCE);
      const unsent = page.getByRole("article", { name: "You, not sent yet" });
      await say(page, "What does it say about the notice period?");
      await unsent.waitFor(PATIENCE);
      await page.locator('input[type="file"]').setInputFiles(file);
      await tray.getByText("lease.txt").waitFor(PATIENCE);
      await page.getByRole("button", { name: "New chat" }).click();
      await page.getByText("What’s on your mind").waitFor(PATIENCE);
      same([await unsent.count(), await tray.count()], [0, 0], "words or files came along into a new chat");
      await row.getByText("not sent yet").waitFor(PATIENCE);
      await house.start();
      await page.locator(LIVE).waitFor(PATIENCE);
      await say(page, "Any new mail from Priya?");
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      same(await mine.count(), 1, "words of another chat were sent in this one");
      await row.getByRole("button").first().click();
      await mine.nth(1).getByText("lease.txt").waitFor(PATIENCE);
      await reads(page, /three months/);
      await tray.getByText("lease.txt").waitFor(PATIENCE);
      await row.getByText("not sent yet").waitFor({ state: "detached", ...PATIENCE });
      same(trouble, []);
    }),

  "a file is sent without a word, and what is in it is told": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers: {} });
      await newChat(page);
      const file = join(house.folder, "lease.txt");
      writeFileSync(file, "Lease of the flat.\n\nThe notice period is three months.\n");
      await page.locator('input[type="file"]').setInputFiles(file);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.locator('[data-message][aria-label^="You"]').getByText("What is in this?").waitFor(PATIENCE);
      await reads(page, /three months/);
      same(trouble, []);
    }),

  "files are pasted and dropped, and one that is not wanted is put away": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const tray = page.getByRole("list", { name: "Files to send" });
      await page.locator("#words").focus();
      await bring(page, "paste", "#words", "pasted.txt", "The notice period is three months.");
      await tray.getByText("pasted.txt").waitFor(PATIENCE);
      await bring(page, "dragover", "body", "dropped.txt", "");
      await page.getByText("Drop it here").waitFor(PATIENCE);
      await bring(page, "drop", "body", "dropped.txt", "The rent is 1,240 euros.");
      await page.getByText("Drop it here").waitFor({ state: "detached", ...PATIENCE });
      await tray.getByText("dropped.txt").waitFor(PATIENCE);
      await tray.getByRole("button", { name: /dropped\.txt/ }).click();
      await tray.getByText("dropped.txt").waitFor({ state: "detached", ...PATIENCE });
      await say(page, "What does it say about the notice period?");
      await page.locator('[data-message][aria-label^="You"]').getByText("pasted.txt").waitFor(PATIENCE);
      await reads(page, /three months/);
      same(trouble, []);
    }),

  "a file that is sent together with a picture is as tall as its name": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const drawn = await page.evaluate(() => {
        const paper = Object.assign(document.createElement("canvas"), { width: 240, height: 190 });
        paper.getContext("2d").fillRect(20, 20, 200, 150);
        return paper.toDataURL("image/png").split(",")[1];
      });
      await page.locator('input[type="file"]').setInputFiles([
        { name: "heron.png", mimeType: "image/png", buffer: Buffer.from(drawn, "base64") },
        { name: "lease.txt", mimeType: "text/plain", buffer: Buffer.from("The rent is 1,240 euros.") },
      ]);
      await say(page, "Keep these for me");
      const bubble = page.locator('[data-message][aria-label^="You"]');
      await bubble.getByRole("img", { name: "heron.png" }).waitFor(PATIENCE);
      const { height } = await bubble.getByRole("listitem").filter({ hasText: "lease.txt" }).boundingBox();
      assert.ok(height < 40, `the file is ${height} px tall`);
      await picture(page, "a file beside a picture");
      same(trouble, []);
    }),

  "a picture is called by what it shows, for those who do not see it": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      const file = join(house.folder, "IMG_2031.png");
      writeFileSync(file, Buffer.from(DOT, "base64"));
      await page.locator('input[type="file"]').setInputFiles(file);
      const tray = page.getByRole("list", { name: "Files to send" });
      await tray.getByRole("img", { name: "IMG_2031.png" }).waitFor(PATIENCE);
      await tray.getByLabel("What IMG_2031.png shows").fill("The heron, glazed");
      await page.keyboard.press("Enter");
      await tray.getByRole("img", { name: "The heron, glazed.png" }).waitFor(PATIENCE);
      await isOpenToAll(page);
      await say(page, "Keep this for me");
      const bubble = page.locator('[data-message][aria-label^="You"]');
      await bubble.getByRole("img", { name: "The heron, glazed.png" }).waitFor(PATIENCE);
      await isOpenToAll(page);
      await page.reload();
      await bubble.getByText("Picture: The heron, glazed.png").waitFor(PATIENCE);
      same(trouble, []);
    }),
};

/** What the page is made of passes the worker once before it can be kept. */
async function isOnDevice(page) {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((go) => navigator.serviceWorker.addEventListener("controllerchange", go, { once: true }));
  });
  await page.reload();
  await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
  await page.locator(LIVE).waitFor(PATIENCE);
}

/** As the browser would, with a file in hand. */
function bring(page, kind, where, name, text) {
  return page.evaluate(
    ([event, place, called, words]) => {
      const files = new DataTransfer();
      files.items.add(new File([words], called, { type: "text/plain" }));
      const target = document.querySelector(place);
      const said =
        event === "paste"
          ? new ClipboardEvent("paste", { clipboardData: files, bubbles: true, cancelable: true })
          : new DragEvent(event, { dataTransfer: files, bubbles: true, cancelable: true });
      target.dispatchEvent(said);
    },
    [kind, where, name, text],
  );
}

/** A picture of one dot. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
