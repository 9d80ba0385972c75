/** Lines of the audit, newest first. A write can be followed from its card to its outcome. */
import { NONE, shortId, words } from "../watch/units.ts";
import styles from "./Audit.module.css";
import type { AuditLine, Checked } from "./figures.ts";
import { Table } from "./Section.tsx";

type Props = { lines: AuditLine[]; checked: Checked | null; onFollow: (confirmation: string) => void };

export function AuditTable({ lines, checked, onFollow }: Props) {
  if (!lines.length) return <p class={styles.none}>No line fits.</p>;
  return (
    <Table label="Audit trail">
      <thead>
        <tr>
          <th scope="col" data-number>
            Line
          </th>
          <th scope="col">Time</th>
          <th scope="col">What</th>
          <th scope="col">Tool</th>
          <th scope="col">How, or why</th>
          <th scope="col">Who</th>
          <th scope="col">Card and revision</th>
          <th scope="col">Fingerprint</th>
          <th scope="col">Chain</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.number}>
            <td data-number>{line.number}</td>
            <td>
              <time dateTime={line.at}>
                {new Date(line.at).toLocaleString([], {
                  month: "short",
                  day: "numeric",
                  hour: "2-digit",
                  minute: "2-digit",
                  hourCycle: "h23",
                  second: "2-digit",
                })}
              </time>
            </td>
            <th scope="row" class={styles.what} data-what={line.what}>
              {words(line.what)}
            </th>
            <td>{line.tool ?? NONE}</td>
            <td>{line.why ? words(line.why) : NONE}</td>
            <td title={line.user} class={styles.code}>
              {shortId(line.user)}
            </td>
            <td class={styles.code}>
              {line.confirmation ? (
                <button
                  type="button"
                  title={`Follow ${line.confirmation}`}
                  onClick={() => onFollow(line.confirmation ?? "")}
                >
                  {shortId(line.confirmation)}
                  {line.revision ? `.${line.revision}` : ""}
                </button>
              ) : (
                NONE
              )}
            </td>
            <td title={line.seal ?? undefined} class={styles.code}>
              {line.seal ? line.seal.slice(0, 8) : NONE}
            </td>
            <td title={line.hash}>
              <Mark line={line} checked={checked} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** A line holds once everything up to it was checked. */
function Mark({ line, checked }: { line: AuditLine; checked: Checked | null }) {
  if (checked && line.number <= checked.lines) return <span class={styles.good}>verified ✓</span>;
  if (checked && !checked.whole) return <span class={styles.bad}>not verified ✕</span>;
  return <span class={styles.open}>not checked</span>;
}
