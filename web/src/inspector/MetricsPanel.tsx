/** What people waited for, turn by turn. */
import { Spark } from "../watch/Spark.tsx";
import { count, time } from "../watch/units.ts";
import styles from "./Drawer.module.css";
import { FIGURES, figuresOf, median } from "./figures.ts";
import own from "./MetricsPanel.module.css";
import type { Tape } from "./tape.ts";
import { turnsOf, waterfallOf } from "./turns.ts";

export function MetricsPanel({ tape }: { tape: Tape }) {
  tape.changes.value; // drawn anew with whatever comes
  const turns = turnsOf(tape.frames).flatMap((id) => waterfallOf(tape.frames, id, tape.played) ?? []);
  if (!turns.length) return <p class={styles.none}>No turn yet. Say or type something.</p>;
  const figures = turns.map(figuresOf);
  return (
    <ul class={own.metrics}>
      {FIGURES.map(({ name, label, hint }) => {
        const values = figures.map((figure) => figure[name]);
        const known = values.filter((value) => value !== undefined);
        const us = (ms: number | undefined) => time(ms === undefined ? undefined : ms * 1000);
        return (
          <li key={name}>
            <h3>{label}</h3>
            <p class={own.last}>{us(known.at(-1))}</p>
            <p class={own.hint}>{hint}</p>
            <p class={own.usual}>usual {us(median(known))}</p>
            <Spark values={values} label={`${label}, turn by turn`} />
          </li>
        );
      })}
      <li>
        <h3>Lost sound</h3>
        <p class={own.last}>{count(tape.soundLost)}</p>
        <p class={own.hint}>Breaks in the connection that were too long to bridge</p>
      </li>
    </ul>
  );
}
