/** The four figures that one looks at first. */

import { Spark } from "../watch/Spark.tsx";
import { count, many, NONE, share, time } from "../watch/units.ts";
import { firstStage, type Overview, STAGE_NAMES, toolFailures } from "./figures.ts";
import styles from "./Tiles.module.css";

export function Tiles({ figures }: { figures: Overview }) {
  const stage = firstStage(figures.latency);
  const spread = figures.latency[stage];
  const { turns, fallback, tools } = figures;
  const failures = toolFailures(tools);
  const uses = tools.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <ul class={styles.tiles} aria-label="At a glance">
      <li>
        <h2>{STAGE_NAMES[stage]}</h2>
        <p class={styles.big}>{time(spread?.p50_us)}</p>
        <p class={styles.small}>
          p95 {time(spread?.p95_us)} · p99 {time(spread?.p99_us)}
        </p>
        <Spark
          values={figures.over_time.map((point) => point[stage]?.p95_us)}
          label={`${STAGE_NAMES[stage]}, p95 over time`}
        />
      </li>
      <li>
        <h2>Turns</h2>
        <p class={styles.big}>{count(figures.began)}</p>
        <Shares turns={turns} />
        <Spark values={figures.over_time.map(({ turns }) => turns)} label="Turns over time" />
      </li>
      <li>
        <h2>Tool failures</h2>
        <p class={styles.big} data-bad={(failures ?? 0) >= 50}>
          {share(failures)}
        </p>
        <p class={styles.small}>
          {uses ? `${many(uses, "use")} of ${many(tools.length, "tool")}` : "no tool was used"}
        </p>
      </li>
      <li>
        <h2>Fallback</h2>
        <p class={styles.big}>{fallback ? share(fallback.permille) : NONE}</p>
        <p class={styles.small}>{fallback ? many(fallback.turns, "turn") : "the first choice answered every turn"}</p>
      </li>
    </ul>
  );
}

const OUTCOMES = [
  ["success", "ok"],
  ["partial", "partial"],
  ["failed", "failed"],
  ["unknown", "unknown"],
  ["cancelled", "interrupted"],
  ["open", "open"],
] as const;

/** How turns ended: a bar, and the same in words. */
function Shares({ turns }: { turns: Overview["turns"] }) {
  const there = OUTCOMES.filter(([name]) => turns[name] > 0);
  return (
    <>
      <div class={styles.shares} aria-hidden="true">
        {there.map(([name]) => (
          <i key={name} data-outcome={name} style={{ flexGrow: turns[name] }} />
        ))}
      </div>
      <p class={styles.small}>{there.map(([name, label]) => `${count(turns[name])} ${label}`).join(" · ")}</p>
    </>
  );
}
