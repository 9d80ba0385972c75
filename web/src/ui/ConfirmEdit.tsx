/** The fields of a card, changed in place. */
import { useEffect, useRef } from "preact/hooks";
import { readZoned } from "../zoned.ts";
import styles from "./Card.module.css";
import type { Entry } from "./editing.ts";
import parts from "./parts.module.css";

type Props = { id: string; entries: readonly Entry[]; isLocked: boolean; onWrite(name: string, text: string): void };

export function ConfirmEdit({ id, entries, isLocked, onWrite }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  return (
    <div ref={box} class={styles.fields}>
      {entries.map((entry) => (
        <Line
          key={entry.field.name}
          id={`${id}-${entry.field.name}`}
          entry={entry}
          isLocked={isLocked}
          onWrite={onWrite}
        />
      ))}
    </div>
  );
}

function Line({
  id,
  entry,
  isLocked,
  onWrite,
}: {
  id: string;
  entry: Entry;
  isLocked: boolean;
  onWrite: Props["onWrite"];
}) {
  const { field, text, problem, was } = entry;
  const zone = field.kind === "time" ? readZoned(was)?.zone : "";
  const common = {
    id,
    class: parts.field,
    value: text,
    readOnly: isLocked,
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": problem ? `${id}-problem` : undefined,
    onInput: (event: { currentTarget: { value: string } }) => onWrite(field.name, event.currentTarget.value),
  };
  return (
    <div class={styles.fieldset}>
      <label class={parts.label} for={id}>
        {field.label}
      </label>
      {field.kind === "paragraphs" ? (
        <textarea {...common} rows={4} dir="auto" />
      ) : field.kind === "people" ? (
        <input
          {...common}
          type="text"
          inputMode="email"
          autocapitalize="none"
          spellcheck={false}
          autocomplete="off"
          placeholder="Addresses, with commas between them"
        />
      ) : zone ? (
        <input {...common} type="datetime-local" />
      ) : (
        <input {...common} type="text" dir="auto" autocomplete="off" />
      )}
      {zone && <span class={styles.zone}>{zone.replaceAll("_", " ")}</span>}
      {problem && (
        <p id={`${id}-problem`} class={styles.fieldProblem}>
          {problem}
        </p>
      )}
    </div>
  );
}
