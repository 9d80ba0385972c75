/**
 * Looking over the chat's shoulder: the drawer opens for those who asked for it, shows a
 * turn that was just made, and hands out its events as a file.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isOpenToAll, picture } from "./looks.mjs";
import { PATIENCE, same, say, visit, waitForCard } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const TABS = ["Turn", "Events", "Audio", "Metrics", "State"];
const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 } },
};

const drawerOf = (page) => page.getByRole("complementary", { name: "Inspector" });

export const inspector = {
  "the inspector is seen by nobody who did not ask": () =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url);
      await page.keyboard.press("Control+.");
      // Another key of the same page is answered: this one was read, too.
      await page.keyboard.press("Control+k");
      await page.locator("#chat-search:focus").waitFor(PATIENCE);
      assert.equal(await drawerOf(page).count(), 0);
    }),

  "the inspector draws a turn and hands out its events, in every look": () =>
    inHouse([], async (house, browser) => {
      for (const [name, look] of Object.entries(LOOKS)) {
        const { page, context, trouble } = await visit(browser, `${house.url}?debug`, look);
        await say(page, "What meetings do I have tomorrow?");
        await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
        await say(page, "Reply to Priya Nair that Thursday works");
        await waitForCard(page, "Send this reply?");
        await page.keyboard.press("Control+.");
        const drawer = drawerOf(page);
        await drawer.getByText("Understanding").first().waitFor(PATIENCE);
        for (const tab of TABS) {
          await drawer.getByRole("tab", { name: tab }).click();
          await drawer.getByRole("tab", { name: tab, selected: true }).waitFor();
          await picture(page, `inspector ${name} ${tab}`);
          await isOpenToAll(page, { within: "aside[aria-label=Inspector]" });
        }
        await drawer.getByRole("tab", { name: "Events" }).click();
        const coming = page.waitForEvent("download");
        await drawer.getByRole("button", { name: "Export .jsonl" }).click();
        const lines = readFileSync(await (await coming).path(), "utf8")
          .trim()
          .split("\n");
        assert.ok(lines.length > 5 && lines.every((line) => JSON.parse(line).session_id));
        await page.keyboard.press("Escape");
        await drawer.waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Inspector" }).click();
        await drawer.getByRole("tab", { name: "Events" }).waitFor(PATIENCE);
        same(trouble, []);
        await context.close();
      }
    }),
};
