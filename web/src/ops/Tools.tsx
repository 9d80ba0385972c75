/** What tools were used for, how long they took and how often they failed. */
import { count, share, time } from "../watch/units.ts";
import type { Tool } from "./figures.ts";
import { Section, Table } from "./Section.tsx";
import styles from "./Tools.module.css";

const COLUMNS = ["Calls", "p50", "p95", "Failed", "Retries", "Not repeated"];

export function Tools({ tools }: { tools: Tool[] }) {
  if (!tools.length) return null;
  return (
    <Section title="Tools" note="Of a write, the time is from the yes to its outcome">
      <Table label="Tools">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Level</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" data-number>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tools.map((tool) => (
            <tr key={tool.tool_name}>
              <th scope="row">{tool.tool_name}</th>
              <td>
                <span class={styles.level} data-level={tool.action_level}>
                  {tool.action_level}
                </span>
              </td>
              <td data-number>{count(tool.calls)}</td>
              <td data-number>{time(tool.took?.p50_us)}</td>
              <td data-number>{time(tool.took?.p95_us)}</td>
              <td data-number data-bad={tool.failed > 0} class={styles.failed}>
                {share(tool.failed_permille)}
                {tool.unknown > 0 && <small> {count(tool.unknown)} unknown</small>}
              </td>
              <td data-number>{count(tool.retries)}</td>
              <td data-number>{count(tool.dedupe_hits)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}
