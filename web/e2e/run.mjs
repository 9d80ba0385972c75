/**
 * Runs every walk, or those whose name has some of the given words, in two lanes; each walk has a
 * server, a port and a browser of its own. Those in which somebody talks go first, and alone:
 * sound comes as it comes, and waits for nobody. Those that measure time go alone, at the end.
 * What failed is told again last, with its cause.
 */
import { answering } from "./answering.mjs";
import { away } from "./away.mjs";
import { cards } from "./cards.mjs";
import { first } from "./first.mjs";
import { gallery } from "./gallery.mjs";
import { hands } from "./hands.mjs";
import { hostile } from "./hostile.mjs";
import { inspector } from "./inspector.mjs";
import { long } from "./long.mjs";
import { ops } from "./ops.mjs";
import { people } from "./people.mjs";
import { places } from "./places.mjs";
import { scenarios } from "./scenarios.mjs";
import { small } from "./small.mjs";
import { states } from "./states.mjs";
import { talks } from "./talking.mjs";
import { work } from "./work.mjs";

const ALL = {
  ...first,
  ...scenarios,
  ...cards,
  ...answering,
  ...places,
  ...small,
  ...hands,
  ...work,
  ...hostile,
  ...talks,
  ...people,
  ...away,
  ...states,
  ...long,
  ...inspector,
  ...ops,
  ...gallery,
};
const LINES_OF_A_CAUSE = 12;

const wanted = process.argv.slice(2);
const walks = Object.entries(ALL).filter(([name]) => !wanted.length || wanted.some((words) => name.includes(words)));
const failures = [];
const begun = Date.now();
const since = (ms) => `${((Date.now() - ms) / 1000).toFixed(1)} s`;

async function walk([name, run]) {
  const started = Date.now();
  try {
    await run();
    console.log(`ok    ${name} (${since(started)})`);
  } catch (error) {
    console.log(`FAIL  ${name} (${since(started)})`);
    failures.push([
      name,
      String(error?.message ?? error)
        .split("\n")
        .slice(0, LINES_OF_A_CAUSE),
    ]);
  }
}

async function inTurn(waiting) {
  for (let next = waiting.shift(); next; next = waiting.shift()) await walk(next);
}

const of = (kind) => walks.filter(([, { goes }]) => goes === kind);
const silent = of(undefined);
await inTurn(of("aloud"));
await Promise.all([inTurn(silent), inTurn(silent)]);
await inTurn(of("alone"));

for (const [name, cause] of failures) console.log(`\nFAIL  ${name}\n      ${cause.join("\n      ")}`);
console.log(`${walks.length - failures.length} of ${walks.length} walks in ${since(begun)}`);
process.exit(failures.length || !walks.length ? 1 : 0);
