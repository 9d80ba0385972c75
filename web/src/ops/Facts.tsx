/** Names and values: as a list, or as bars that can be compared. */
import { count } from "../watch/units.ts";
import styles from "./Facts.module.css";

export type Fact = { name: string; value: string; hint?: string; isBad?: boolean };
export type Bar = { name: string; value: number; tone: "good" | "plain" | "warn" | "faint" };

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class={styles.facts}>
      {facts.map(({ name, value, hint, isBad }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-bad={isBad}>{value}</dd>
          {hint && <dd class={styles.hint}>{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

export function Bars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <div class={styles.bars}>
      <h3>{label}</h3>
      <dl>
        {bars.map(({ name, value, tone }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value > 0 && (
                <i data-tone={tone} style={{ width: `${Math.max(1, (value / most) * 100)}%` }} aria-hidden="true" />
              )}
              <span>{count(value)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
