/** Says how large each part of `dist` is on the way to a browser, and fails when one is too large. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const DIST = new URL("../dist/", import.meta.url).pathname;

/** Gzipped kilobytes, by the beginning of the name. What two of them load counts in both. */
const LATER = [
  { name: "worklets", kB: 6, is: /assets\/.*worklet-.*\.js$/ },
  { name: "inspector", kB: 20, is: /assets\/(inspector|Spark).*\.(js|css)$/i },
  { name: "ops", kB: 40, is: /assets\/(ops|uPlot|Spark).*\.(js|css)$/i },
  { name: "sheets", kB: 12, is: /assets\/(sheets|errands|study|upload|Zones).*\.(js|css)$/i },
  { name: "chats", kB: 3, is: /assets\/ThreadList.*\.js$/ },
  { name: "editing", kB: 4, is: /assets\/edit-.*\.js$/ },
];
/** All that is not loaded later is loaded at once. */
const AT_ONCE = [
  { name: "chat styles", kB: 12, is: /assets\/.*\.css$/ },
  { name: "chat script", kB: 60, is: /assets\/.*\.js$/ },
];
const BUDGETS = [...LATER, ...AT_ONCE];
const RAW_KB = 400;

const files = readdirSync(DIST, { recursive: true })
  .map((name) => ({ name, path: join(DIST, name) }))
  .filter(({ path, name }) => statSync(path).isFile() && !/\.(br|gz)$/.test(name));
const totals = new Map(BUDGETS.map(({ name }) => [name, 0]));
for (const { name, path } of files) {
  const later = LATER.filter(({ is }) => is.test(name));
  const budgets = later.length > 0 ? later : AT_ONCE.filter(({ is }) => is.test(name));
  for (const budget of budgets) totals.set(budget.name, totals.get(budget.name) + readFileSync(`${path}.gz`).length);
}

let isTooLarge = false;
for (const { name, kB } of BUDGETS) {
  const used = totals.get(name) / 1000;
  isTooLarge ||= used > kB;
  console.log(`${name.padEnd(12)} ${used.toFixed(1).padStart(6)} kB of ${kB} kB${used > kB ? "  TOO LARGE" : ""}`);
}
const raw = files.reduce((sum, { path }) => sum + statSync(path).size, 0) / 1000;
isTooLarge ||= raw > RAW_KB;
console.log(`${"all, raw".padEnd(12)} ${raw.toFixed(1).padStart(6)} kB of ${RAW_KB} kB`);
process.exit(isTooLarge ? 1 : 0);
