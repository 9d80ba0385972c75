/** The fields of a card, changed in place. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { zoned, zoneWords } from "../zoned.ts";
import styles from "./Card.module.css";
import { type Entry, fieldId } from "./editing.ts";
import parts from "./parts.module.css";
import { called, Zones } from "./Zones.tsx";

type Props = {
  id: string;
  entries: readonly Entry[];
  isLocked: boolean;
  onWrite(name: string, text: string): void;
  onZone(zone: string): void;
};

export function ConfirmEdit({ id, entries, isLocked, onWrite, onZone }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  const lastTime = entries.findLast(({ zone }) => zone);
  return (
    <div ref={box} class={styles.fields}>
      {entries.map((entry) => (
        <>
          <Line
            key={entry.field.name}
            id={fieldId(id, entry.field.name)}
            entry={entry}
            isLocked={isLocked}
            onWrite={onWrite}
          />
          {entry === lastTime && <Zone id={fieldId(id, "zone")} entry={entry} isLocked={isLocked} onZone={onZone} />}
        </>
      ))}
    </div>
  );
}

type LineProps = { id: string; entry: Entry; isLocked: boolean; onWrite: Props["onWrite"] };

function Line({ id, entry, isLocked, onWrite }: LineProps) {
  const { field, text, problem, zone } = entry;
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
    <div class={styles.fieldset} data-field={zone ? "time" : field.kind}>
      <label class={parts.label} for={id}>
        {field.label}
      </label>
      {field.kind === "paragraphs" ? (
        <textarea {...common} rows={4} dir="auto" />
      ) : field.kind === "people" ? (
        <textarea
          {...common}
          rows={Math.max(1, text.split("\n").length)}
          inputMode="email"
          autocapitalize="none"
          spellcheck={false}
          autocomplete="off"
          placeholder="Addresses, one a line"
        />
      ) : zone ? (
        <input {...common} type="datetime-local" />
      ) : (
        <input {...common} type="text" dir="auto" autocomplete="off" />
      )}
      {problem && (
        <p id={`${id}-problem`} class={styles.fieldProblem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Whose clocks both times are told on, and what that zone is called on that day. */
function Zone({ id, entry, isLocked, onZone }: Omit<LineProps, "onWrite"> & { onZone: Props["onZone"] }) {
  const at = zoned(entry.text, entry.zone);
  return (
    <div class={styles.fieldset}>
      <label class={parts.label} for={id}>
        Time zone
      </label>
      {isLocked ? <span>{called(entry.zone)}</span> : <Zones id={id} zone={entry.zone} onZone={onZone} />}
      {at && <span class={styles.zone}>{zoneWords(at)}</span>}
    </div>
  );
}
