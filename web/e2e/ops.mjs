/**
 * Looks at the page for operators in a real browser: its figures are there, its turns
 * open, its audit holds, and nothing keeps anybody out. Pictures go to the folder that
 * is named last.
 *
 *   node e2e/ops.mjs http://127.0.0.1:8787 /tmp/pictures
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [address = "http://127.0.0.1:8787", folder = "pictures"] = process.argv.slice(2);
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const VIEWS = [
  { name: "light", width: 1280, height: 900, colorScheme: "light" },
  { name: "dark", width: 1280, height: 900, colorScheme: "dark" },
  { name: "phone", width: 390, height: 844, colorScheme: "light" },
  { name: "phone-dark", width: 390, height: 844, colorScheme: "dark" },
];

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

for (const { name, width, height, colorScheme } of VIEWS) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (line) => line.type() === "error" && troubles.push(line.text()));
  await page.goto(`${address}/ops`);
  await page.getByRole("heading", { name: "Audit trail" }).waitFor();
  await page.getByText("nothing changed").waitFor();
  const slow = page.getByRole("table").filter({ hasText: "Answer began" });
  await slow.getByRole("button").first().click();
  await page.getByText("Carried out").waitFor();
  await page.getByText("As a table").click();
  await page.screenshot({ path: join(folder, `ops-${name}.png`), fullPage: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${name}: nothing stands out to the side (${wide} px)`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  for (const { id, nodes } of violations)
    console.log(`  ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join("\n    ")}`);
  check(violations.length === 0, `${name}: axe finds nothing`);
  check(troubles.length === 0, `${name}: no error in the console ${troubles.join("; ")}`);
  await page.close();
}
await browser.close();
process.exit(failures ? 1 : 0);
