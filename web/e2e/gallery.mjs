/** Every part in every state: no violation that axe-core can find, in every look. Pictures go to SHOTS. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { open } from "./browser.mjs";

const FOLDER = new URL("../.gallery/", import.meta.url).pathname;
const KINDS = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

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
    if (process.env.SHOTS)
      await page.screenshot({ path: join(process.env.SHOTS, `gallery-${name.replace(" ", "-")}.png`), fullPage: true });
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate(() =>
      globalThis.axe.run(document, {
        runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      }),
    );
    const told = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ target, failureSummary }) => `${target} ${failureSummary?.split("\n")[1] ?? ""}`)
          .slice(0, 4)
          .join(" | ")}`,
    );
    assert.deepEqual(told, []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px wider than the screen`);
  } finally {
    await browser.close();
    server.close();
  }
}

export const gallery = Object.fromEntries(
  Object.entries(LOOKS).map(([name, one]) => [`gallery, ${name}`, () => look(name, one)]),
);
