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

async function look(name, { width, theme, ...rest }) {
  const [server, browser] = await Promise.all([serve(), open()]);
  try {
    const context = await browser.newContext({ viewport: { width, height: 900 }, ...rest });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/?theme=${theme}`);
    await page.waitForTimeout(1200);
    await picture(page, `gallery ${name}`, { fullPage: true });
    await isOpenToAll(page);
  } finally {
    await browser.close();
    server.close();
  }
}

export const gallery = Object.fromEntries(
  Object.entries(LOOKS).map(([name, one]) => [`gallery, ${name}`, () => look(name, one)]),
);
