/** The picture in the README: a real conversation with two writes, on a server of its own. */
import { open } from "./browser.mjs";
import { House } from "./house.mjs";
import { card, reads, say, visit, waitForCard, waitForReceipt } from "./page.mjs";

const FILE = new URL("../../docs/page.png", import.meta.url).pathname;

const house = await new House().start();
const browser = await open();
const { page } = await visit(browser, house.url, {
  viewport: { width: 1180, height: 1230 },
  timezoneId: "America/Los_Angeles",
});
await page.getByRole("button", { name: "That’s me" }).click();
await say(page, "Reply to Priya Nair that Thursday works, and book lunch with Tom on Friday at twelve");
await waitForCard(page, "Send this reply?");
await card(page).getByRole("button", { name: "Send email" }).click();
await waitForReceipt(page, "Sent");
await waitForCard(page, "Put this on your calendar?");
await reads(page, "calendar");
await page.waitForTimeout(7000);
await page.mouse.move(0, 0);
await page.waitForTimeout(400);
await page.screenshot({ path: FILE });
await browser.close();
await house.leave();
