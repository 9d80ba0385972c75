/**
 * A page that is loaded anew, and a server that dies, in every state that a turn can be
 * in: what was said stands there once afterwards, and nothing that was said is missing.
 */
import assert from "node:assert/strict";
import { cue, cuedMicrophone } from "./browser.mjs";
import { spoken } from "./house.mjs";
import { bubbles, LIVE, PATIENCE, say, visit } from "./page.mjs";
import { aloud, inHouse } from "./scene.mjs";

const WRITE = "Reply to Priya Nair that Thursday works";
const LOOK = "What meetings do I have tomorrow?";
/** How each state is entered. */
const WAYS = {
  listening: { talk: LOOK },
  finalizing_input: { say: LOOK },
  thinking: { say: LOOK },
  executing_tools: { say: LOOK },
  speaking: { say: LOOK },
  awaiting_confirmation: { say: WRITE },
};

/** Remembers every state that the page hears of, from the beginning; tells when one is entered. */
export function watchStates(context) {
  return context.addInitScript(() => {
    globalThis.states = [];
    const { Socket } = { Socket: WebSocket };
    globalThis.WebSocket = class extends Socket {
      constructor(...args) {
        super(...args);
        this.addEventListener("message", ({ data }) => {
          if (typeof data !== "string") return;
          const { event_type, payload } = JSON.parse(data);
          if (event_type === "turn.start")
            globalThis.states.push(payload.input_mode === "voice" ? "listening" : "finalizing_input");
          if (event_type === "state.change") globalThis.states.push(payload.to);
          globalThis.onState?.(globalThis.states.at(-1));
        });
      }
    };
  });
}

/** Resolves in the moment in which the state is entered. */
function entered(page, state) {
  return page.evaluate(
    (wanted) =>
      new Promise((go) => {
        if (globalThis.states.includes(wanted)) return go();
        globalThis.onState = () => globalThis.states.includes(wanted) && go();
      }),
    state,
  );
}

/** What was said stands there once, in one order, and is answered or can be said again. */
export async function isWhole(page, asked) {
  await page.locator(LIVE).waitFor(PATIENCE);
  await page.waitForFunction(
    () => {
      const status = document.querySelector("p[data-status]")?.textContent ?? "";
      return (
        !/Thinking|Working|Replying|Got it|transcribing|Speaking/.test(status) &&
        !document.querySelector("[aria-busy=true][data-message]")
      );
    },
    undefined,
    PATIENCE,
  );
  const all = await bubbles(page);
  const mine = all.filter((one) => one.startsWith("You"));
  assert.deepEqual(mine, [...new Set(mine)], `said twice: ${all}`);
  if (asked) assert.deepEqual(mine, [`You: ${asked}`], `lost: ${all}`);
  const ids = await page.locator("[data-message]").evaluateAll((ones) => ones.map((one) => one.dataset.message));
  assert.equal(new Set(ids).size, ids.length, `a message twice: ${all}`);
  assert.ok((await page.locator("[data-card]").count()) <= 1);
  return all;
}

async function enter(page, state) {
  const way = WAYS[state];
  const there = entered(page, state);
  if (way.say) await say(page, way.say);
  else {
    const said = await spoken(way.talk);
    await page.locator("[data-mic]").click();
    await page.locator('[data-mic][data-state="open"]').waitFor(PATIENCE);
    void cue(page, said).catch(() => undefined);
  }
  await there;
}

const options = {
  prefers: { voice: "never" },
  async prepare(context) {
    await cuedMicrophone(context);
    await watchStates(context);
  },
};

/** The end of what was said is the same on a page that has never seen it. */
async function sameEverywhere(page, browser, house) {
  const session = await page.evaluate(() => sessionStorage.getItem("sayso.session_id"));
  const prepare = (context) => context.addInitScript((id) => sessionStorage.setItem("sayso.session_id", id), session);
  const { page: other, context } = await visit(browser, house.url, { prepare, expects: CUT_SHORT });
  // A microphone that is open all the while may have the rest of the sentence heard meanwhile.
  const until = Date.now() + PATIENCE.timeout;
  let [there, here] = [await bubbles(other), await bubbles(page)];
  while (String(there) !== String(here) && Date.now() < until) {
    await new Promise((go) => setTimeout(go, 100));
    [there, here] = [await bubbles(other), await bubbles(page)];
  }
  assert.deepEqual(there, here);
  await context.close();
}

/** What a server says that died in the middle of something. */
const CUT_SHORT = ["interrupted"];

const heardOrNot = (state, walk) => (WAYS[state].talk ? aloud(walk) : walk);

export const states = Object.fromEntries(
  Object.keys(WAYS).flatMap((state) => [
    [
      `loaded anew while ${state}: nothing twice, nothing lost`,
      heardOrNot(state, () =>
        inHouse([], async (house, browser) => {
          const { page } = await visit(browser, house.url, options);
          await enter(page, state);
          await page.reload();
          await isWhole(page, WAYS[state].say);
          await sameEverywhere(page, browser, house);
        }),
      ),
    ],
    [
      `the server dies while ${state}: nothing twice, nothing lost`,
      heardOrNot(state, () =>
        inHouse([], async (house, browser) => {
          const { page } = await visit(browser, house.url, { ...options, expects: CUT_SHORT });
          await enter(page, state);
          await house.kill();
          await house.start();
          await isWhole(page, WAYS[state].say);
          await sameEverywhere(page, browser, house);
        }),
      ),
    ],
  ]),
);
