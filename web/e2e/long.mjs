/** A chat of a thousand messages: all of it can be read, and it scrolls smoothly. */
import assert from "node:assert/strict";
import { keeps } from "./device.mjs";
import { LIVE, PATIENCE, visit } from "./page.mjs";
import { alone, inHouse } from "./scene.mjs";

const MESSAGES = 1000;
const MOST_KEPT = 500;
/** A frame that took longer was seen to be late: three of sixty a second. */
const LATE_MS = 50;

/** Nobody types so quickly; a program may. */
const IN_A_HURRY = { settings: "[limits]\ntext_per_minute = 0\n" };

export const long = {
  "a thousand messages: every one can be reached, and scrolling keeps up": alone(() =>
    inHouse(
      [],
      async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url);
        // Said where nothing is drawn; what is looked at is the chat that comes of it.
        await page.goto(`${house.url}healthz`);
        await page.evaluate(talkOn, MESSAGES / 2);
        await page.goto(house.url);
        await page.locator(LIVE).waitFor(PATIENCE);
        await page.locator("[data-message]").nth(100).waitFor(PATIENCE);
        const { frames, late, slowestMs } = await page.evaluate(scrollToTheTop, LATE_MS);
        console.log(
          `  ${frames} frames of scrolling up, ${late} late by more than ${LATE_MS} ms, slowest ${slowestMs.toFixed(0)} ms`,
        );
        const said = await page.locator('[data-message][aria-label^="You"]').count();
        assert.equal(said, MESSAGES / 2);
        // The end of it, and no more than was promised.
        await keeps(page, `${MOST_KEPT} messages`, ({ threads }) =>
          threads.some(({ messages }) => messages.length === MOST_KEPT),
        );
        assert.deepEqual(trouble, []);
      },
      IN_A_HURRY,
    ),
  ),
};

/** Short words, as quickly as they are answered, in the chat that is open. */
async function talkOn(turns) {
  const session = sessionStorage.getItem("sayso.session_id");
  const socket = new WebSocket(`/chat/stream?session_id=${session}`);
  const over = () =>
    new Promise((go, fail) => {
      socket.onclose = ({ code, reason }) => fail(new Error(`closed ${code} ${reason}`));
      socket.onmessage = ({ data }) => {
        const { event_type, payload } = JSON.parse(data);
        if (event_type === "turn.end") go();
        if (event_type === "error" || event_type === "rate_limit") fail(new Error(JSON.stringify(payload)));
      };
    });
  await new Promise((go) => {
    socket.onopen = go;
  });
  for (let turn = 0; turn < turns; turn += 1) {
    const ended = over();
    const frame = {
      event_id: `evt_long_${turn}`,
      event_type: "text.input",
      payload: { text: `Hello, for the ${turn}th time` },
    };
    socket.send(JSON.stringify(frame));
    await ended;
  }
  socket.close();
}

/** A screen's height every few frames, until nothing comes any more. */
async function scrollToTheTop(lateMs) {
  const box = document.querySelector("[data-scroller]");
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  const taken = [];
  let still = 0;
  let last = await frame();
  while (still < 120) {
    box.dispatchEvent(new WheelEvent("wheel", { deltaY: -120 }));
    box.scrollTop -= 120;
    const now = await frame();
    taken.push(now - last);
    last = now;
    still = box.scrollTop === 0 ? still + 1 : 0;
  }
  const moving = taken.slice(0, -120);
  return { frames: moving.length, late: moving.filter((ms) => ms > lateMs).length, slowestMs: Math.max(...moving) };
}
