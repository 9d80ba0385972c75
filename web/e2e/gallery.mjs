/** Every part in every state: no violation that axe-core can find, in every look. Pictures go to SHOTS. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { open } from "./browser.mjs";
import { isOpenToAll, picture } from "./looks.mjs";
import { same } from "./page.mjs";

const FOLDER = new URL("../.gallery/", import.meta.url).pathname;
const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

const LOOKS = {
  light: { width: 1100, theme: "light" },
  dark: { width: 1100, theme: "dark" },
  phone: { width: 390, theme: "light", hasTouch: true },
  "small phone": { width: 360, theme: "light", hasTouch: true },
  "smallest phone": { width: 320, theme: "dark", hasTouch: true },
  "reduced motion": { width: 1100, theme: "light", reducedMotion: "reduce" },
  "forced colours": { width: 1100, theme: "light", forcedColors: "active" },
};

function serve() {
  const server = createServer((request, answer) => {
    const path = new URL(request.url, "http://x").pathname.replace(/^\/$/, "/gallery.html");
    try {
      const body = readFileSync(join(FOLDER, path));
      answer.setHeader("Content-Type", KINDS[extname(path)] ?? "application/octet-stream");
      answer.end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  return new Promise((go) => server.listen(0, "127.0.0.1", () => go(server)));
}

/** Labels that are wider than their button, times that are wider than their field, status lines that are cut, files without a name, and whatever makes the page wider than it is. */
function spilled() {
  const boxOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const isSeen = (one) => one.checkVisibility() && one.getBoundingClientRect().width > 0;
  const buttons = [...document.querySelectorAll("[data-card] button, [data-receipt] button, [data-choices] button")];
  const wide = buttons.filter((one) => {
    const [holds, words] = [one.getBoundingClientRect(), boxOf(one)];
    return isSeen(one) && !one.querySelector("svg") && (words.left < holds.left || words.right > holds.right);
  });
  const cut = [...document.querySelectorAll("[data-status]")].filter((one) => one.scrollHeight > one.clientHeight + 1);
  const files = [...document.querySelectorAll('[aria-label="Files to send"] > li')].filter((one) => {
    const [holds, words] = [one.getBoundingClientRect(), boxOf(one)];
    const isNamed = [...one.querySelectorAll("span")].every((part) => part.getBoundingClientRect().width > 16);
    return isSeen(one) && (!isNamed || words.right > holds.right);
  });
  const times = [...document.querySelectorAll('input[type="time"]')].filter((one) => {
    const { width } = one.getBoundingClientRect();
    const { style } = one.parentNode.appendChild(one.cloneNode());
    style.cssText = "position: absolute; width: max-content";
    const needs = one.parentNode.lastChild.getBoundingClientRect().width;
    one.parentNode.lastChild.remove();
    return isSeen(one) && width < needs;
  });
  const name = (one) => one.textContent.trim() || one.getAttribute("aria-label");
  const page = document.documentElement;
  const over =
    page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth - page.clientWidth} px too wide`] : [];
  return [...wide.map(name), ...cut.map(name), ...files.map(name), ...times.map(name), ...over];
}

/** What stands in the conversation, and what opens beside it, one at a time. */
const PARTS = ["", "rail", "settings", "memory", "keys", "sign-in", "box", "dock"];

async function look(name, { width, theme, ...rest }) {
  const [server, browser] = await Promise.all([serve(), open()]);
  try {
    const context = await browser.newContext({ viewport: { width, height: 900 }, ...rest });
    const page = await context.newPage();
    for (const part of PARTS) {
      await page.goto(`http://127.0.0.1:${server.address().port}/?theme=${theme}&part=${part}`);
      // Until nothing moves: colours in between are nobody's choice.
      await page.waitForTimeout(1200);
      await picture(page, `gallery ${name} ${part}`.trim(), { fullPage: part === "" });
      await isOpenToAll(page).catch((error) => {
        throw new Error(`${part || "the conversation"}: ${error.message}`);
      });
      same(await page.evaluate(spilled), [], `${part || "the conversation"}: words stand outside of what holds them`);
    }
  } finally {
    await browser.close();
    server.close();
  }
}

export const gallery = Object.fromEntries(
  Object.entries(LOOKS).map(([name, one]) => [`gallery, ${name}`, () => look(name, one)]),
);
