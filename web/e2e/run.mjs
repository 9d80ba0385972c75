/** Runs every scenario, or those whose name has the given words. */
import { cards } from "./cards.mjs";
import { gallery } from "./gallery.mjs";
import { scenarios } from "./scenarios.mjs";
import { talks } from "./talking.mjs";

const wanted = process.argv[2] ?? "";
let failed = 0;
for (const [name, run] of Object.entries({ ...scenarios, ...cards, ...talks, ...gallery })) {
  if (!name.includes(wanted)) continue;
  const started = Date.now();
  try {
    await run();
    console.log(`ok    ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(
      `FAIL  ${name}\n      ${String(error?.message ?? error)
        .split("\n")
        .slice(0, 12)
        .join("\n      ")}`,
    );
  }
}
process.exit(failed ? 1 : 0);
