/** What nobody should send: markup in words, frames that are broken, more than anybody reads. Nothing runs, nothing is asked for. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PATIENCE, reads, same, say, visit } from "./page.mjs";
import { inHouse } from "./scene.mjs";

const MARKUP =
  '<img src="https://evil.example/x.png" onerror="window.hacked=1"> ![x](https://evil.example/y.png) <script>window.hacked=1</script>';
/** Every frame that the server knows, as it spells it; but for those that say where the conversation is, and are believed. */
const FRAMES = readFileSync(new URL("../../crates/wire/tests/golden/canonical/server.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .filter(({ event_type }) => !["session.resumed", "resync"].includes(event_type));
const INSTEAD = [undefined, null, 7, MARKUP, [null], {}];
const HUGE = 300_000;

export const hostile = {
  "what looks like markup is text": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url);
      await say(page, MARKUP);
      await page.locator("[data-message]").nth(1).waitFor(PATIENCE);
      await isHarmless(page);
      same(trouble, []);
    }),

  "broken frames, hostile ones and a huge one: the chat goes on": () =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prepare: overheard });
      const sent = await page.evaluate(slip, FRAMES.flatMap(broken));
      assert.ok(sent > 400, `only ${sent} frames were tried`);
      const huge = { text: `${MARKUP} ${"many words ".repeat(HUGE / 11)}` };
      await page.evaluate(slip, [
        { event_type: "assistant_text.final", message_id: "msg_huge", turn_id: "turn_huge", payload: huge },
      ]);
      await page.locator('[data-message="msg_huge"]').waitFor(PATIENCE);
      await isHarmless(page);
      await say(page, "What meetings do I have tomorrow?");
      await reads(page, "tomorrow");
      await page.reload();
      await reads(page, "What meetings do I have tomorrow?");
      await isHarmless(page);
      same(trouble, []);
    }),
};

async function isHarmless(page) {
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("[data-scroller] img, [data-scroller] script").count(), 0);
  await page.locator("#words").waitFor(PATIENCE);
}

/** The frame with each part of it in turn gone or something else. It is nobody's turn, and has no number. */
function broken({ event_type, payload, message_id, turn_id }) {
  return Object.keys(payload).flatMap((name) =>
    INSTEAD.map((value) => ({ event_type, message_id, turn_id, payload: { ...payload, [name]: value } })),
  );
}

/** Keeps the page's socket within reach. */
function overheard(context) {
  return context.addInitScript(() => {
    const Socket = WebSocket;
    globalThis.WebSocket = class extends Socket {
      constructor(...args) {
        super(...args);
        globalThis.socket = this;
      }
    };
  });
}

/** Hands the page frames as if the server had sent them. */
async function slip(frames) {
  for (const frame of frames) {
    const data = JSON.stringify({ event_id: "evt_x", ts: "2026-01-17T12:34:56Z", role: "system", epoch: 0, ...frame });
    globalThis.socket.dispatchEvent(new MessageEvent("message", { data }));
    await new Promise((go) => setTimeout(go));
  }
  return frames.length;
}
