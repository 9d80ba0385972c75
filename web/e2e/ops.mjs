/** The page for operators: its figures are there, its turns open, its audit holds, nothing keeps anybody out. */
import { breakable, comeBack } from "./browser.mjs";
import { isOpenToAll, picture } from "./looks.mjs";
import { card, PATIENCE, same, say, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const LOOKS = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 } },
  "phone dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

const figure = (page, name) => page.locator("dl > div", { hasText: name }).locator("dd").first();
const tile = (page, name) => page.locator("li", { has: page.getByRole("heading", { name, exact: true }) });

export const ops = {
  "operators look at one tool: figures, cards and the audit are about it": () =>
    inHouse([], async (house, browser) => {
      const { page: chat } = await visit(browser, house.url);
      for (const words of ["What meetings do I have tomorrow?", "Any new mail from Priya?"]) {
        const before = await chat.locator("[data-message]").count();
        await say(chat, words);
        await chat
          .locator("[data-message]")
          .nth(before + 1)
          .waitFor(PATIENCE);
      }
      await say(chat, "Reply to Priya Nair that Thursday works");
      await waitForCard(chat, "Send this reply?");
      await card(chat).getByRole("button", { name: "Send email" }).click();
      await waitForReceipt(chat, "Sent");
      const { page, trouble } = await visit(browser, `${house.url}ops`, { waitsFor: "h1" });
      await tile(page, "Turns").getByText("3", { exact: true }).waitFor(PATIENCE);
      const tool = page.getByRole("combobox", { name: /^Tool/ });
      await tool.selectOption("gmail.send");
      await tile(page, "Turns").getByText("1", { exact: true }).waitFor(PATIENCE);
      await page.getByRole("heading", { name: "Confirmations" }).waitFor(PATIENCE);
      await tool.selectOption("calendar.list_events");
      await page.getByText("Nobody was asked in this window").waitFor(PATIENCE);
      await page.getByText("No line fits.").waitFor(PATIENCE);
      await tool.selectOption("");
      await tile(page, "Turns").getByText("3", { exact: true }).waitFor(PATIENCE);
      same(trouble, []);
    }),

  "operators see figures, turns and an audit that holds, in every look": () =>
    inHouse([], async (house, browser) => {
      const { page: chat } = await visit(browser, house.url, { prepare: breakable });
      await say(chat, "What meetings do I have tomorrow?");
      await chat.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await say(chat, "Reply to Priya Nair that Thursday works");
      await waitForCard(chat, "Send this reply?");
      await card(chat).getByRole("button", { name: "Send email" }).click();
      await waitForReceipt(chat, "Sent");
      await comeBack(chat);
      for (const [name, look] of Object.entries(LOOKS)) {
        const { page, context, trouble } = await visit(browser, `${house.url}ops`, { ...look, waitsFor: "h1" });
        await page.getByRole("heading", { name: "Audit trail" }).waitFor(PATIENCE);
        await page.getByText("nothing changed").waitFor(PATIENCE);
        same(await figure(page, "Reconnects").textContent(), "1");
        same(await figure(page, "Resumed").textContent(), "100 %");
        const slow = page.getByRole("table").filter({ hasText: "Answer began" });
        await slow.getByRole("button").first().click();
        await page.getByText("Carried out").waitFor(PATIENCE);
        await page.getByText("As a table").click();
        await picture(page, `ops ${name}`, { fullPage: true });
        await isOpenToAll(page);
        same(trouble, []);
        await context.close();
      }
    }),
};
