/**
 * Five hundred broken connections in one conversation, each at a moment of its own: at
 * the end every sentence stands there once, with its answer, here and on a page that has
 * never seen it. `node e2e/soak.mjs [breaks]`; part of `make proof`.
 */
import assert from "node:assert/strict";
import { breakable, comeBack } from "./browser.mjs";
import { bubbles, PATIENCE, say, visit } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const BREAKS = Number(process.argv[2] ?? 500);
const BREAKS_A_TURN = 5;
const TURNS = Math.ceil(BREAKS / BREAKS_A_TURN);
/** The same moments every time. */
let seed = 20_261_117;
const random = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
};

await inHouse(
  [],
  async (house, browser) => {
    const { page, trouble } = await visit(browser, house.url, { prepare: breakable });
    const started = Date.now();
    let breaks = 0;
    for (let turn = 0; turn < TURNS; turn += 1) {
      await say(page, `Hello, for the ${turn}th time`);
      for (let one = 0; one < BREAKS_A_TURN; one += 1) {
        await page.waitForTimeout(random() * 60);
        breaks += 1;
        await comeBack(page);
      }
      await page.waitForFunction(
        (count) => document.querySelectorAll('[data-message][aria-label^="Sayso"]').length >= count,
        Math.min(turn + 1, 90),
        PATIENCE,
      );
    }
    const said = (await bubbles(page)).filter((one) => one.startsWith("You"));
    assert.deepEqual(said, [...new Set(said)], "something stands there twice");
    const session = await page.evaluate(() => sessionStorage.getItem("sayso.session_id"));
    const prepare = (context) => context.addInitScript((id) => sessionStorage.setItem("sayso.session_id", id), session);
    const { page: other } = await visit(browser, house.url, { prepare });
    await other.locator("[data-message]").nth(said.length).waitFor(PATIENCE);
    const rest = (await bubbles(other)).filter((one) => one.startsWith("You"));
    assert.deepEqual(rest, [...new Set(rest)], "something stands there twice on another page");
    assert.equal(said.length, TURNS, `${TURNS - said.length} sentences are missing`);
    assert.deepEqual(trouble, []);
    console.log(
      `${breaks} broken connections over ${TURNS} sentences: none twice, none lost (${((Date.now() - started) / 1000).toFixed(0)} s)`,
    );
  },
  { settings: "[limits]\ntext_per_minute = 0\n" },
);
