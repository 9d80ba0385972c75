/** The server itself: what it has to do, what it can do, and what is wrong with its settings. */
import { count } from "../watch/units.ts";
import { Facts } from "./Facts.tsx";
import type { SinceStart, Health as Told } from "./figures.ts";
import styles from "./Health.module.css";
import { Section } from "./Section.tsx";

export function Health({ health, since }: { health: Told; since: SinceStart }) {
  const notes = [
    ...(health.writes_paused ? ["every write is paused; `sayso resume` lets them go on"] : []),
    ...health.tools_off.map((tool) => `${tool} is paused; \`sayso resume ${tool}\` lets it go on`),
    ...health.warnings,
  ];
  const up = new Date(health.started_at).toLocaleString([], {
    dateStyle: "medium",
    timeStyle: "short",
    hourCycle: "h23",
  });
  return (
    <Section title="Health" note={`Sayso ${health.version}, running since ${up}`}>
      <Facts
        facts={[
          { name: "Sessions awake", value: count(health.sessions) },
          { name: "Connections", value: count(health.connections) },
          { name: "Turns at work", value: count(health.turns_at_work) },
          { name: "Jobs waiting", value: count(health.jobs_waiting), hint: `${count(health.jobs_running)} running` },
          {
            name: "Hears and speaks",
            value:
              health.hears && health.speaks
                ? "Yes"
                : health.hears
                  ? "Hears only"
                  : health.speaks
                    ? "Speaks only"
                    : "No",
          },
          { name: "Refused", value: count(since.refused), hint: "requests since start" },
          { name: "Held back", value: count(since.rate_limited), hint: "too much at once" },
          { name: "Cut off", value: count(since.clients_cut), hint: "too slow to listen" },
        ]}
      />
      {notes.length > 0 && (
        <ul class={styles.notes} aria-label="What to know">
          {notes.map((note) => (
            <li key={note}>
              <span aria-hidden="true">!</span>
              <p>{note.split("`").map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))}</p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
