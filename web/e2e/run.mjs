/** Runs every scenario, or those whose name has the given words. */
import { away } from "./away.mjs";
import { cards } from "./cards.mjs";
import { gallery } from "./gallery.mjs";
import { inspector } from "./inspector.mjs";
import { long } from "./long.mjs";
import { ops } from "./ops.mjs";
import { people } from "./people.mjs";
import { scenarios } from "./scenarios.mjs";
import { states } from "./states.mjs";
import { talks } from "./talking.mjs";

const ALL = {
  ...scenarios,
  ...cards,
  ...talks,
  ...people,
  ...away,
  ...states,
  ...long,
  ...inspector,
  ...ops,
  ...gallery,
};

const wanted = process.argv[2] ?? "";
let failed = 0;
for (const [name, run] of Object.entries(ALL)) {
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
