/** A page in every look, as axe-core sees it. Pictures go to SHOTS. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Nothing keeps anybody out, and nothing stands out to the side. The rules come past the page's own policy. */
export async function isOpenToAll(page, { within, rules = RULES } = {}) {
  await page.evaluate(AXE);
  // What is still fading in has not its own colour yet.
  await page.evaluate(() => {
    const ends = (one) => Number.isFinite(one.effect?.getComputedTiming().endTime);
    return Promise.all(
      document
        .getAnimations()
        .filter(ends)
        .map(({ finished }) => finished.catch(() => undefined)),
    );
  });
  const violations = await page.evaluate(
    async ([part, only]) => (await globalThis.axe.run(part ?? document, { runOnly: only })).violations,
    [within, rules],
  );
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target, failureSummary }) => `${target} ${failureSummary?.split("\n")[1] ?? ""}`)
        .slice(0, 4)
        .join(" | ")}`,
  );
  assert.deepEqual(told, []);
  // What is named twice is named by nobody; the rules let that pass.
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at);
  });
  assert.deepEqual(twice, [], "an id is given twice");
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} px wider than the screen`);
}

export async function picture(page, name, options = {}) {
  if (process.env.SHOTS)
    await page.screenshot({ path: join(process.env.SHOTS, `${name.replaceAll(" ", "-")}.png`), ...options });
}
