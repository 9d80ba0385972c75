/** Talking with the page: three ways of taking turns, being interrupted, being heard wrongly, being heard again. */
import assert from "node:assert/strict";
import { breakable, comeBack, cue, cuedMicrophone, isMicOn, microphone, turnAway, watchVoice } from "./browser.mjs";
import { withBrokenSpeech } from "./elsewhere.mjs";
import { spoken } from "./house.mjs";
import { bubbles, LIVE, PATIENCE, same, say, status, visit, waitForCard, waitForReceipt } from "./page.mjs";
import { alone, aloud, inHouse } from "./scene.mjs";

const QUESTION = "What meetings do I have tomorrow?";
/** The long sentence, in words that the built-in ears make out when the built-in voice says them. */
const ALOUD =
  "Check my email, then reply to him that Thursday works, and schedule a meeting with Tom and her at three, make it 45 minutes";
const FLUSH_WITHIN_MS = 60;

async function withMicrophone(context) {
  await cuedMicrophone(context);
  await watchVoice(context);
}

/** Somebody with a microphone that speaks on cue. */
function talking(prefers, work, scene, expects = []) {
  return inHouse(
    [],
    async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, { prefers, prepare: withMicrophone, expects });
      await work({ page });
      same(trouble, []);
    },
    scene,
  );
}

const mic = (page) => page.locator("[data-mic]");
const user = (page) => page.locator('[data-message][aria-label^="You"]');
const answer = (page) => page.locator('[data-message][aria-label^="Sayso"]');

/** Nothing is said until the microphone is really open. */
async function open(page) {
  await mic(page).click();
  await page.locator('[data-mic][data-state="open"]').waitFor(PATIENCE);
}

/** A browser that takes its time before it lets anything be heard. */
function slowToUnlock(context) {
  return context.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function slowly() {
      return new Promise((go) => setTimeout(go, 1000)).then(() => play.call(this));
    };
  });
}

/** In the middle of a spoken answer the page is lost and found: the rest of it can be heard. */
function lostIn(lose) {
  return inHouse([], async (house, browser) => {
    const { page, trouble } = await visit(browser, house.url, {
      prefers: { voice: "always" },
      prepare: async (context) => {
        await withMicrophone(context);
        await breakable(context);
      },
    });
    await page.locator("#words").click();
    await say(page, "Any new mail from Priya?");
    await status(page, "Speaking").waitFor(PATIENCE);
    await page.waitForFunction(() => globalThis.tellings.at(-1).to > 30, undefined, PATIENCE);
    await lose(page);
    const last = answer(page).last();
    const rest = last.getByRole("button", { name: "Play the rest" });
    await rest.waitFor(PATIENCE);
    assert.equal(await last.getByText("Stopped").count(), 0, "nobody stopped it");
    const text = (await bubbles(page)).at(-1).replace(/^Sayso: /, "");
    assert.match(text, /[.?!]$/, "the whole answer is there to be read");
    await rest.click();
    await page.waitForFunction(() => globalThis.tellings.at(-1)?.isOver, undefined, PATIENCE);
    await status(page, "Ready").waitFor(PATIENCE);
    const { from, to } = await page.evaluate(() => globalThis.tellings.at(-1));
    assert.match(text.slice(0, from), /(^|[.?!]\s)$/, `it begins within a sentence: ${text.slice(from)}`);
    assert.ok(to >= text.trimEnd().length - 1, `it was not said to its end: ${to} of ${text.length}`);
    await rest.waitFor({ state: "detached", ...PATIENCE });
    same(trouble, []);
  });
}

export const talks = {
  "Talk: no sound reaches the server before it knows what it is, however long the voice takes to unlock": aloud(() =>
    inHouse([], async (house, browser) => {
      const { page, trouble } = await visit(browser, house.url, {
        prefers: {},
        prepare: async (context) => {
          await withMicrophone(context);
          await slowToUnlock(context);
        },
      });
      await open(page);
      await page.waitForTimeout(2500);
      assert.equal(await page.getByText("I could not read that message").count(), 0);
      same(trouble, []);
    }),
  ),

  "Hold: what is said while it is held is heard, and nothing else": aloud(() =>
    talking({ turnStyle: "hold" }, async ({ page }) => {
      const [before, held] = [await spoken("Any new mail from Priya?"), await spoken(QUESTION)];
      await open(page);
      await status(page, "Hold the button or Space to talk").waitFor(PATIENCE);
      await cue(page, before);
      assert.equal(await status(page, "Listening").count(), 0, "it says that it listens, and takes nothing");
      await page.locator("[data-scroller]").focus();
      await page.keyboard.down("Space");
      await page.getByRole("button", { name: /^Listening/ }).waitFor(PATIENCE);
      await status(page, "Listening").waitFor(PATIENCE);
      await cue(page, held);
      await page.keyboard.up("Space");
      await answer(page).first().waitFor(PATIENCE);
      assert.equal(await user(page).count(), 1);
      assert.match((await bubbles(page))[0], /meetings.*to-?morrow/i);
    }),
  ),

  "Hold: the button does the same as the key, and slid up it stays open": aloud(() =>
    talking({ turnStyle: "hold" }, async ({ page }) => {
      const held = await spoken(QUESTION);
      await open(page);
      const { x, y, width, height } = await mic(page).boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.down();
      await cue(page, held);
      await page.mouse.up();
      await answer(page).first().waitFor(PATIENCE);
      assert.match((await bubbles(page))[0], /meetings.*to-?morrow/i);
      // Slid up, it stays open without a finger on it, until it is tapped.
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y - 80, { steps: 4 });
      await page.mouse.up();
      await page.getByRole("button", { name: /^Done/ }).waitFor(PATIENCE);
      await cue(page, held);
      await mic(page).click();
      await user(page).nth(1).waitFor(PATIENCE);
    }),
  ),

  "Tap: once to begin, once when done, with a pause in between": aloud(() =>
    talking({ turnStyle: "tap" }, async ({ page }) => {
      const [first, second] = [await spoken("What meetings do I have"), await spoken("tomorrow afternoon?")];
      await open(page);
      await status(page, "Tap to talk").waitFor(PATIENCE);
      await mic(page).click();
      await page.getByRole("button", { name: /^Done/ }).waitFor(PATIENCE);
      await cue(page, first);
      // Longer than any pause that would end it by itself.
      await page.waitForTimeout(2500);
      assert.equal(await answer(page).count(), 0, "a pause ended what was not done");
      await cue(page, second);
      await mic(page).click();
      await answer(page).first().waitFor(PATIENCE);
      assert.equal(await user(page).count(), 1);
      assert.match((await bubbles(page))[0], /meetings.*to-?morrow/i);
    }),
  ),

  "the whole of two writes in one sentence, every word of it spoken": aloud(() =>
    talking({}, async ({ page }) => {
      const sentence = await spoken(ALOUD);
      const [second, yes] = [await spoken("The second one."), await spoken("Yes, please.")];
      await open(page);
      await cue(page, sentence);
      await waitForAnswer(page, "Who is “him”");
      await cue(page, second);
      await waitForAnswer(page, "Who is “her”");
      await cue(page, second);
      await waitForCard(page, "Send this reply?");
      await hushed(page);
      await cue(page, yes);
      await waitForReceipt(page, "Sent");
      await page.locator("[data-receipt]", { hasText: "You said yes aloud" }).first().waitFor(PATIENCE);
      await waitForCard(page, "Put this on your calendar?");
      await hushed(page);
      await cue(page, yes);
      await waitForReceipt(page, "Created");
      assert.equal(await page.locator("[data-card]").count(), 0);
    }),
  ),

  "talking over the voice lowers it at once and silences it": alone(() =>
    talking({ voice: "always" }, async ({ page }) => {
      const over = await spoken("Wait, stop, that is enough, thank you.");
      await open(page);
      await say(page, QUESTION);
      await status(page, "Speaking").waitFor(PATIENCE);
      const said = cue(page, over);
      await page.waitForFunction(() => performance.getEntriesByName("sayso.gave way").length > 0, undefined, PATIENCE);
      const { loweredMs, silentMs } = await page.evaluate(() => {
        const [onset] = performance.getEntriesByName("e2e.onset");
        const [gave] = performance.getEntriesByName("sayso.gave way");
        return {
          loweredMs: gave.startTime - onset.startTime,
          silentMs: gave.startTime + gave.duration - onset.startTime,
        };
      });
      console.log(
        `  talked over, the voice is lowered after ${loweredMs.toFixed(0)} ms (aim ${FLUSH_WITHIN_MS} ms) and silent after ${silentMs.toFixed(0)} ms`,
      );
      await said;
      assert.ok(loweredMs < silentMs, "the voice was lowered no sooner than it fell silent");
      await page
        .getByText("Stopped")
        .first()
        .waitFor(PATIENCE)
        .catch(() => undefined);
    }),
  ),

  "a sentence that was misheard is put right and said again": aloud(() =>
    talking({}, async ({ page }) => {
      const heard = await spoken("Any new mail from Leo?");
      await open(page);
      await cue(page, heard);
      await answer(page).first().waitFor(PATIENCE);
      await user(page).first().focus();
      await user(page).first().getByRole("button", { name: "Edit and say again" }).click();
      await page.getByLabel("What you meant to say").fill("Any new mail from Priya?");
      await page.getByRole("button", { name: "Say this instead" }).click();
      await page.getByText("corrected below").waitFor(PATIENCE);
      await answer(page).nth(1).waitFor(PATIENCE);
      same((await bubbles(page)).filter((one) => one.startsWith("You"))[1], "You: Any new mail from Priya?");
    }),
  ),

  "an answer is heard again: nothing is asked, nothing is done": aloud(() =>
    talking({ voice: "always" }, async ({ page }) => {
      await page.locator("#words").click();
      await say(page, QUESTION);
      await status(page, "Speaking").waitFor(PATIENCE);
      await hushed(page);
      const before = await bubbles(page);
      await answer(page).last().hover();
      await answer(page).last().getByRole("button", { name: "Hear it again" }).click();
      await status(page, "Speaking").waitFor(PATIENCE);
      await answer(page).last().getByRole("button", { name: "Stop speaking" }).click();
      await status(page, "Speaking").waitFor({ state: "detached", ...PATIENCE });
      same(await bubbles(page), before);
      // What this page does not have any more, the server says again.
      await page.reload();
      await answer(page).last().waitFor(PATIENCE);
      await page.locator("#words").click();
      await answer(page).last().hover();
      await answer(page).last().getByRole("button", { name: "Hear it again" }).click();
      await status(page, "Speaking").waitFor(PATIENCE);
      await hushed(page);
      same(await bubbles(page), before);
    }),
  ),

  "an answer that the server says again is stopped there too, by its button, Stop and Esc": aloud(() =>
    talking({ voice: "always" }, async ({ page }) => {
      const last = answer(page).last();
      await page.locator("#words").click();
      await say(page, QUESTION);
      await status(page, "Speaking").waitFor(PATIENCE);
      await hushed(page);
      const stops = [
        () => last.getByRole("button", { name: "Stop speaking" }).click(),
        () => page.getByRole("button", { name: /^Stop/ }).last().click(),
        () => page.keyboard.press("Escape"),
      ];
      for (const stop of stops) {
        // What the page has forgotten, the server has to say.
        await page.reload();
        await last.waitFor(PATIENCE);
        await page.locator("#words").click();
        await last.hover();
        await last.getByRole("button", { name: "Hear it again" }).click();
        await page.waitForFunction(() => globalThis.tellings.at(-1)?.to > 5, undefined, PATIENCE);
        await stop();
        await page.waitForFunction(() => globalThis.tellings.at(-1).isCut, undefined, PATIENCE);
        await status(page, "Ready").waitFor(PATIENCE);
        const { to } = await page.evaluate(() => globalThis.tellings.at(-1));
        assert.ok(to < (await bubbles(page)).at(-1).length - 20, `the server went on to ${to}`);
      }
    }),
  ),

  "an answer that was cut off offers the rest of it, which goes on where it stopped": aloud(() =>
    talking({ voice: "always" }, async ({ page }) => {
      const last = answer(page).last();
      await page.locator("#words").click();
      await say(page, "Any new mail from Priya?");
      await status(page, "Speaking").waitFor(PATIENCE);
      // Into the second sentence, and not to its end.
      await page.waitForFunction(
        () => {
          const text = [...document.querySelectorAll('[data-message][aria-label^="Sayso"] [dir]')].at(-1).textContent;
          return globalThis.tellings.at(-1).to > text.search(/[.?!] /) + 20;
        },
        undefined,
        PATIENCE,
      );
      const text = (await bubbles(page)).at(-1).replace(/^Sayso: /, "");
      await page.keyboard.press("Escape");
      await status(page, "Speaking").waitFor({ state: "detached", ...PATIENCE });
      const rest = last.getByRole("button", { name: "Play the rest" });
      await rest.waitFor(PATIENCE);
      await last.getByText("not spoken").waitFor(PATIENCE);
      const asked = await user(page).count();
      await rest.click();
      await status(page, "Speaking").waitFor(PATIENCE);
      await page.waitForFunction(() => globalThis.tellings.at(-1).isOver, undefined, PATIENCE);
      await status(page, "Ready").waitFor(PATIENCE);
      const { from, to } = await page.evaluate(() => globalThis.tellings.at(-1));
      assert.ok(from > 0, "it was said from its beginning");
      assert.match(text.slice(0, from), /[.?!]\s$/, `it begins within a sentence: ${text.slice(from)}`);
      assert.ok(to >= text.trimEnd().length - 1, `it was not said to its end: ${to} of ${text.length}`);
      // Nothing is left to offer, and nothing was asked for it.
      assert.equal((await bubbles(page)).at(-1), `Sayso: ${text}`);
      assert.equal(await rest.count(), 0);
      assert.equal(await user(page).count(), asked);
      // Heard again, it is all of it.
      await last.hover();
      await last.getByRole("button", { name: "Hear it again" }).click();
      await page.waitForFunction(() => globalThis.tellings.at(-1).from === 0, undefined, PATIENCE);
    }),
  ),

  "a break in the connection while it speaks: what was not heard is offered, and goes on from there": aloud(() =>
    lostIn(async (page) => {
      await comeBack(page);
      assert.equal(await page.getByText("Reconnecting").count(), 0, "a blip was told");
    }),
  ),

  "a page that is loaded again while it speaks offers what was not heard": aloud(() =>
    lostIn(async (page) => {
      await page.reload();
      await page.locator(LIVE).waitFor(PATIENCE);
      // The browser plays nothing before somebody has touched the page.
      await page.locator("#words").click();
    }),
  ),

  "the screen stays on while one talks, and the device’s own pause silences the voice": aloud(() =>
    inHouse([], async (house, browser) => {
      const { page } = await visit(browser, house.url, {
        prefers: { voice: "always" },
        // Nobody says a word, and is told so.
        expects: ["no_speech"],
        async prepare(context) {
          await cuedMicrophone(context);
          await context.addInitScript(watchDevice);
        },
      });
      await open(page);
      await page.waitForFunction(() => globalThis.device.isAwake, undefined, PATIENCE);
      await say(page, QUESTION);
      await status(page, "Speaking").waitFor(PATIENCE);
      await page.evaluate(() => globalThis.device.actions.pause());
      await status(page, "Speaking").waitFor({ state: "detached", timeout: 5000 });
      await page.getByRole("button", { name: "Microphone settings" }).click();
      await page.getByRole("button", { name: "Turn microphone off" }).click();
      await page.waitForFunction(() => !globalThis.device.isAwake, undefined, PATIENCE);
    }),
  ),

  "the big Talk button follows the microphone; muted and turned off, it is heard when it is on again": aloud(() =>
    talking(
      {},
      async ({ page }) => {
        const [menu, settings] = [
          page.getByRole("dialog", { name: "Microphone settings" }),
          page.getByRole("button", { name: "Microphone settings" }),
        ];
        const begin = page.getByRole("button", { name: "Talk", exact: true }).first();
        await begin.click();
        await page.locator("[data-hears]").getByText("Listening").waitFor(PATIENCE);
        await page.getByRole("button", { name: /^Mute/ }).click();
        await page.locator("[data-hears]").getByText("Muted").waitFor(PATIENCE);
        await settings.click();
        await menu.getByRole("button", { name: "Turn microphone off" }).click();
        await menu.waitFor({ state: "detached", ...PATIENCE });
        assert.ok(await page.evaluate(() => document.activeElement?.matches("[data-mic]")), "the keyboard is nowhere");
        await begin.click();
        await page.locator('[data-mic][data-state="open"]').waitFor(PATIENCE);
        await settings.click();
        await menu.waitFor(PATIENCE);
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press("Escape");
        await menu.waitFor({ state: "detached", ...PATIENCE });
        assert.ok(await settings.evaluate((button) => button === document.activeElement));
      },
      undefined,
      ["no_speech"],
    ),
  ),

  "a microphone that nobody talks to offers to be muted, and goes off out of sight": aloud(() =>
    talking(
      {},
      async ({ page }) => {
        await page.clock.install();
        await open(page);
        assert.equal(await isMicOn(page), true);
        await status(page, "Listening").waitFor(PATIENCE);
        await page.clock.fastForward(10_000);
        await status(page, "I’m here when you’re ready").waitFor(PATIENCE);
        await page.clock.fastForward(60_000);
        await page.locator("[data-quiet]").getByRole("button", { name: "Mute it" }).click();
        await page.locator('[data-mic][data-state="muted"]').waitFor(PATIENCE);
        await page.locator("[data-quiet]").waitFor({ state: "detached", ...PATIENCE });
        await turnAway(page, true);
        await page.clock.fastForward(20_000);
        await turnAway(page, false);
        assert.equal(await isMicOn(page), true, "a glance at something else turned it off");
        await turnAway(page, true);
        await page.clock.fastForward(31_000);
        await page.locator('[data-mic][data-state="off"]').waitFor(PATIENCE);
        assert.equal(await isMicOn(page), false, "it says off, and is on");
        await turnAway(page, false);
        await page.getByText("The microphone was turned off while you were away").first().waitFor(PATIENCE);
      },
      undefined,
      ["no_speech"],
    ),
  ),

  "where the speech service is down, the built-in one stands in, and one is told once": aloud(() =>
    withBrokenSpeech((settings) =>
      talking(
        { voice: "always" },
        async ({ page }) => {
          const question = await spoken(QUESTION);
          const strip = page.locator('[data-tone="info"]');
          await open(page);
          await cue(page, question);
          await strip.getByText("I'm using my backup ears for now.").waitFor(PATIENCE);
          await answer(page).first().waitFor(PATIENCE);
          assert.match((await bubbles(page))[0], /meetings.*to-?morrow/i);
          await strip.getByText("I'm using my backup voice for now.").waitFor(PATIENCE);
          await status(page, "Speaking").waitFor(PATIENCE);
          await strip.getByRole("button", { name: "All right" }).click();
          await strip.waitFor({ state: "detached", ...PATIENCE });
          await hushed(page);
          await say(page, "Any new mail from Priya?");
          await answer(page).nth(1).waitFor(PATIENCE);
          await hushed(page);
          assert.equal(await strip.count(), 0, "it was told again");
        },
        { settings },
        ["backup_ears", "backup_voice"],
      ),
    ),
  ),

  "microphones are listed, one is chosen, and a meter shows that it hears": aloud(() =>
    inHouse(
      async () => microphone(await spoken(`${QUESTION} ${QUESTION} ${QUESTION}`)),
      async (house, browser) => {
        const { page, trouble } = await visit(browser, house.url, { permissions: ["microphone"] });
        await mic(page).click();
        await page.locator('[data-mic][data-state="hearing"]').waitFor(PATIENCE);
        await page.getByRole("button", { name: "Microphone settings" }).click();
        const menu = page.getByRole("dialog", { name: "Microphone settings" });
        await menu.locator('[data-lit="true"]').first().waitFor(PATIENCE);
        const picker = menu.getByLabel("Microphone", { exact: true });
        await picker
          .locator("option")
          .nth(2)
          .waitFor({ state: "attached", ...PATIENCE });
        const chosen = await picker.locator("option").nth(2).getAttribute("value");
        await picker.selectOption(chosen);
        await page.waitForFunction((id) => JSON.parse(localStorage["sayso.preferences"]).micId === id, chosen);
        await page.locator('[data-mic][data-state="hearing"], [data-mic][data-state="open"]').waitFor(PATIENCE);
        await menu.getByRole("button", { name: "Turn microphone off" }).click();
        await page.locator('[data-mic][data-state="off"]').waitFor(PATIENCE);
        same(trouble, []);
      },
    ),
  ),
};

/** What the page asks of the device, written down. */
function watchDevice() {
  globalThis.device = { isAwake: false, actions: {} };
  navigator.wakeLock.request = async () => {
    globalThis.device.isAwake = true;
    return {
      release: async () => {
        globalThis.device.isAwake = false;
      },
    };
  };
  navigator.mediaSession.setActionHandler = (action, handler) => {
    globalThis.device.actions[action] = handler;
  };
}

async function waitForAnswer(page, words) {
  await page.locator("[data-scroller]").getByText(words).first().waitFor(PATIENCE);
  await hushed(page);
}

/** Until the last answer has been spoken to its end; whoever answers a question has heard it. */
async function hushed(page) {
  await page.waitForFunction(
    () => {
      const last = [...document.querySelectorAll('[data-message][aria-label^="Sayso"]')].at(-1);
      const isSpeaking = document.querySelector("p[data-status]")?.textContent?.includes("Speaking");
      return last && globalThis.spokenOut.has(last.dataset.message) && !isSpeaking;
    },
    undefined,
    PATIENCE,
  );
}
