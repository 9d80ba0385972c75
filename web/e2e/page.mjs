/** The page in the hands of somebody. */
import assert from "node:assert/strict";

export const LIVE = '[data-link="live"]';
export const PATIENCE = { timeout: 40_000 };

/** What a server says that is slower than the sound, as on a busy machine: nothing that the page did. */
const WEATHER = ["audio_too_fast"];
/** What the server told pages that something is wrong with, by the browser they are in. */
const complaints = new WeakMap();

/** Opens the page; whatever it complains about or asks elsewhere is remembered. `expects` are failures that belong to the walk. */
export async function visit(browser, url, { prefers, prepare, waitsFor = "#words", expects = [], ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 860 }, ...options });
  await prepare?.(context);
  if (prefers) await preferring(context, prefers);
  const told = complaints.get(browser) ?? [];
  complaints.set(browser, told);
  context.on("page", (opened) =>
    overhear(opened, (code) => [...expects, ...WEATHER].includes(code) || told.push(code)),
  );
  const page = await context.newPage();
  const trouble = [];
  page.on("pageerror", (error) => trouble.push(error.message));
  page.on("request", (request) => {
    const { origin } = new URL(request.url());
    if (!request.url().startsWith("blob:") && !request.url().startsWith("data:") && origin !== new URL(url).origin)
      trouble.push(`asked ${origin}`);
  });
  await page.goto(url);
  await page.locator(waitsFor).waitFor(PATIENCE);
  if (waitsFor === "#words") await page.locator(LIVE).waitFor(PATIENCE);
  return { page, context, trouble };
}

function overhear(page, failed) {
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (typeof payload !== "string" || !payload.includes('"event_type":"error"')) return;
      const { code, message } = JSON.parse(payload).payload;
      failed(code, message);
    }),
  );
}

/** Nobody may be told of a failure that the walk does not name, whatever else went well. */
export function isUntroubled(browser) {
  same(complaints.get(browser) ?? [], [], "the server told a page of failures that nobody expected");
}

/** What somebody prefers, from before the page is opened. */
function preferring(context, preferences) {
  const kept = JSON.stringify({ isGreeted: true, ...preferences });
  return context.addInitScript((text) => {
    if (!localStorage.getItem("sayso.preferences")) localStorage.setItem("sayso.preferences", text);
  }, kept);
}

/** What the status line says. */
export function status(page, words) {
  return page.locator("p[data-status]", { hasText: words });
}

export async function say(page, words) {
  await page.locator("#words").fill(words);
  await page.locator("#words").press("Enter");
}

export async function reads(page, words) {
  const scroller = page.locator("[data-scroller]");
  try {
    await scroller.getByText(words).first().waitFor(PATIENCE);
  } catch (error) {
    throw new Error(`“${words}” is nowhere in: ${await scroller.innerText()}`, { cause: error });
  }
}

/** A blank one, with the server there. */
export async function newChat(page) {
  await page.getByRole("button", { name: "New chat" }).click();
  await page.getByText("What’s on your mind").waitFor(PATIENCE);
  await page.locator(LIVE).waitFor(PATIENCE);
}

export function card(page) {
  return page.locator("[data-card]").first();
}

export async function waitForCard(page, title) {
  await page.locator("[data-card] h2", { hasText: title }).waitFor(PATIENCE);
  // Nobody means what appeared just now; the buttons say so.
  await page.waitForFunction(() => !document.querySelector("[data-card] button[aria-disabled]"), undefined, PATIENCE);
}

export async function waitForReceipt(page, words) {
  await page.locator("[data-receipt]", { hasText: words }).first().waitFor(PATIENCE);
}

/** Every message once, in order: what a duplicate or a lost one would change. */
export function bubbles(page) {
  return page
    .locator("[data-message]")
    .evaluateAll((all) =>
      all.map((one) => `${one.getAttribute("aria-label").split(",")[0]}: ${one.querySelector("[dir]").textContent}`),
    );
}

export function same(a, b, why) {
  assert.deepEqual(a, b, why);
}
