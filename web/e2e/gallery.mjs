/** Every part in every state: no violation that axe-core can find, in every look. Pictures go to SHOTS. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { open } from "./browser.mjs";
import { isOpenToAll, picture } from "./looks.mjs";

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

/** What stands in the conversation, and what opens beside it, one at a time. */
const PARTS = ["", "rail", "settings", "memory", "keys", "sign-in", "dock"];

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
    }
  } finally {
    await browser.close();
    server.close();
  }
}

export const gallery = Object.fromEntries(
  Object.entries(LOOKS).map(([name, one]) => [`gallery, ${name}`, () => look(name, one)]),
);
