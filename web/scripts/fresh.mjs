/** Fails when `dist` is not what the sources build: whoever changes the pages commits their build. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

const WEB = new URL("../", import.meta.url).pathname;
const DIST = join(WEB, "dist");
const built = mkdtempSync(join(tmpdir(), "sayso-dist-"));
execFileSync("npx", ["vite", "build", "--outDir", built, "--logLevel", "error"], { cwd: WEB, stdio: "inherit" });

const files = (folder) =>
  readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
const copies = files(DIST).filter((name) => /\.(br|gz)$/.test(name));
const committed = files(DIST).filter((name) => !copies.includes(name));
const stale = [];
for (const name of new Set([...committed, ...files(built)])) {
  const [there, made] = [DIST, built].map((folder) => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return null;
    }
  });
  if (!there || !made || !there.equals(made)) stale.push(name);
}
// Another Node may squeeze otherwise; what comes out has to be the same.
for (const name of copies) {
  const [unpack, whole] = name.endsWith(".br")
    ? [brotliDecompressSync, name.slice(0, -3)]
    : [gunzipSync, name.slice(0, -3)];
  const original = committed.includes(whole) ? readFileSync(join(DIST, whole)) : null;
  if (!original?.equals(unpack(readFileSync(join(DIST, name))))) stale.push(name);
}
rmSync(built, { recursive: true });
if (stale.length) console.error(`web/dist is stale (${stale.slice(0, 5).join(", ")}): run make web and commit it.`);
process.exit(stale.length ? 1 : 0);
