/**
 * How the pages are built: `dist` is what the server carries in itself, `gallery` is for looking at.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The pages of a build, those that exist. */
const pages = (...names: string[]) => names.map((name) => here(`./${name}.html`)).filter((path) => existsSync(path));

/** Where `sayso serve` listens while the pages are worked on. */
const SERVER = process.env.SAYSO ?? "http://127.0.0.1:8787";
const ROOMS = ["/chat", "/memory", "/tools", "/control", "/healthz", "/readyz", "/metrics", "/ops/"];

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: mode === "gallery" ? ".gallery" : "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: { input: mode === "gallery" ? pages("gallery") : pages("index", "ops") },
  },
  // Whoever looks at the gallery reads names; what is sent to everybody is short.
  css: { modules: { generateScopedName: mode === "gallery" ? "[local]_[hash:base64:4]" : "[hash:base64:5]" } },
  server: { proxy: Object.fromEntries(ROOMS.map((path) => [path, { target: SERVER, ws: true }])) },
  test: { include: ["src/**/*.test.ts", "sdk/**/*.test.ts"] },
}));
