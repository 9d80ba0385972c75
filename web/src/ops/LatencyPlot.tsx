/** How long people waited, over time: one stage, three percentiles; and how many turns there were. */
import { useState } from "preact/hooks";
import { count, time } from "../watch/units.ts";
import { firstStage, type Overview, type Point, type Spread, STAGE_NAMES, STAGES, type Stage } from "./figures.ts";
import styles from "./LatencyPlot.module.css";
import { Picker } from "./Picker.tsx";
import { type Line, Plot } from "./Plot.tsx";
import { Section, Table } from "./Section.tsx";

const LINES: { part: keyof Spread; label: string; colour: string; dash?: number[] }[] = [
  { part: "p50_us", label: "p50", colour: "accent" },
  { part: "p95_us", label: "p95", colour: "info", dash: [8, 3] },
  { part: "p99_us", label: "p99", colour: "warn", dash: [2, 3] },
];

const NOTES: Record<Stage, string> = {
  first_audio: "From the end of the input to the first sound",
  first_token: "From the end of the input to the first word",
  first_event: "From the end of the input to the first thing on the screen",
  thought: "How long it took to understand what is wanted",
  tools: "All tools of a turn together",
};

export function LatencyPlot({ figures }: { figures: Overview }) {
  const [chosen, setChosen] = useState<Stage | null>(null);
  const there = STAGES.filter((stage) => figures.latency[stage]);
  const stage = chosen && there.includes(chosen) ? chosen : firstStage(figures.latency);
  const points = figures.over_time;
  const times = points.map(({ at }) => Date.parse(at) / 1000);
  const lines: Line[] = LINES.map(({ part, ...line }) => ({
    ...line,
    values: points.map((point) => point[stage]?.[part] ?? null),
  }));
  const picker = <Picker label="Stage" options={there} names={STAGE_NAMES} chosen={stage} onChoose={setChosen} />;
  return (
    <Section title="Waiting time" note={`${NOTES[stage]}, by percentile`} aside={there.length > 1 && picker}>
      <Plot
        label={`${STAGE_NAMES[stage]} over time; the same is in the table below`}
        times={times}
        lines={lines}
        spell={time}
        height={240}
      />
      <Plot
        label="Turns over time; the same is in the table below"
        times={times}
        lines={[{ label: "Turns", colour: "accent-line", values: points.map(({ turns }) => turns) }]}
        spell={(turns) => (Number.isInteger(turns) ? count(turns) : "")}
        height={104}
        isBars
      />
      <details class={styles.details}>
        <summary>As a table</summary>
        <PointTable points={points} stage={stage} />
      </details>
    </Section>
  );
}

function PointTable({ points, stage }: { points: Point[]; stage: Stage }) {
  const busy = points.filter(({ turns }) => turns > 0).reverse();
  return (
    <Table label={`${STAGE_NAMES[stage]} over time`} isLong>
      <thead>
        <tr>
          <th scope="col">From</th>
          {["Turns", "p50", "p95", "p99"].map((name) => (
            <th key={name} scope="col" data-number>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {busy.map((point) => (
          <tr key={point.at}>
            <th scope="row">
              {new Date(point.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" })}
            </th>
            <td data-number>{count(point.turns)}</td>
            <td data-number>{time(point[stage]?.p50_us)}</td>
            <td data-number>{time(point[stage]?.p95_us)}</td>
            <td data-number>{time(point[stage]?.p99_us)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
