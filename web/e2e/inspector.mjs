/**
 * Looks over the chat's shoulder in a real browser: the drawer opens, shows a turn that
 * was just made, and hands out its events as a file.
 *
 *   node e2e/inspector.mjs http://127.0.0.1:8787 /tmp/pictures
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [address = "http://127.0.0.1:8787", folder = "pictures"] = process.argv.slice(2);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = [
  { name: "light", width: 1280, height: 860, colorScheme: "light" },
  { name: "dark", width: 1280, height: 860, colorScheme: "dark" },
  { name: "phone", width: 390, height: 844, colorScheme: "light" },
];
const TABS = ["Turn", "Events", "Audio", "Metrics", "State"];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
let failures = 0;
const check = (isTrue, what) => {
  console.log(`${isTrue ? "✓" : "✗"} ${what}`);
  if (!isTrue) failures += 1;
};

const plain = await browser.newPage();
await plain.goto(address);
const field = (page) => page.getByLabel("Message", { exact: true });
await field(plain).waitFor();
await plain.keyboard.press("Control+.");
await plain.waitForTimeout(500);
check((await plain.getByRole("complementary", { name: "Inspector" }).count()) === 0, "nobody sees it who did not ask");
await plain.close();

for (const { name, width, height, colorScheme } of VIEWS) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  await page.goto(`${address}/?debug`);
  for (const words of ["What meetings do I have tomorrow?", "Tell Dana that Thursday works"]) {
    await field(page).fill(words);
    await field(page).press("Enter");
    await page.waitForTimeout(2500);
  }
  await page.keyboard.press("Control+.");
  const drawer = page.getByRole("complementary", { name: "Inspector" });
  await drawer.waitFor();
  await page.evaluate(AXE);
  for (const tab of TABS) {
    await drawer.getByRole("tab", { name: tab }).click();
    await page.waitForTimeout(300);
    if (tab === "Turn") check(await drawer.getByText("Understanding").isVisible(), `${name}: a turn is drawn`);
    await page.screenshot({ path: join(folder, `inspector-${name}-${tab.toLowerCase()}.png`) });
    const { violations } = await page.evaluate(() => globalThis.axe.run("aside[aria-label=Inspector]"));
    for (const { id, nodes } of violations)
      console.log(`  ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("\n    ")}`);
    check(violations.length === 0, `${name}: axe finds nothing in ${tab}`);
  }
  await drawer.getByRole("tab", { name: "Events" }).click();
  const coming = page.waitForEvent("download");
  await drawer.getByRole("button", { name: "Export .jsonl" }).click();
  const file = join(folder, `events-${name}.jsonl`);
  await (await coming).saveAs(file);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  check(
    lines.length > 5 && lines.every((line) => JSON.parse(line).session_id),
    `${name}: ${lines.length} events were saved`,
  );
  await page.keyboard.press("Escape");
  check((await drawer.count()) === 0, `${name}: Esc closes it`);
  check(troubles.length === 0, `${name}: no error on the page ${troubles.join("; ")}`);
  await page.close();
}
await browser.close();
process.exit(failures ? 1 : 0);
