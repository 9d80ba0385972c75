/** What was done in whose name: every line, whether the chain holds, and a copy to take along. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { count } from "../watch/units.ts";
import styles from "./Audit.module.css";
import { AuditTable } from "./AuditTable.tsx";
import { Choose } from "./Choose.tsx";
import { auditLines, type Filter, saveAudit, verifyAudit } from "./door.ts";
import type { AuditLine, Checked } from "./figures.ts";
import { Section } from "./Section.tsx";
import { WriteStory } from "./WriteStory.tsx";

const WHATS = [
  "asked",
  "revised",
  "accepted",
  "rejected",
  "expired",
  "dispatching",
  "confirmed",
  "failed_clean",
  "maybe_sent",
  "answer_refused",
  "session_deleted",
];
type Chosen = Omit<Filter, "tool">;
const ALL: Chosen = { what: "", confirmation: "" };

/** `tool` is what the whole page is about, if it is about one. */
export function Audit({ tool }: { tool: string }) {
  const [chosen, setChosen] = useState<Chosen>(ALL);
  const [lines, setLines] = useState<AuditLine[]>([]);
  const [next, setNext] = useState<number | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [trouble, setTrouble] = useState("");
  const told = useCallback((error: Error) => setTrouble(error.message), []);
  const filter = useMemo(() => ({ ...chosen, tool }), [chosen, tool]);

  const read = useCallback(
    async (before: number | null) => {
      const page = await auditLines(filter, before);
      setLines((lines) => (before === null ? page.lines : [...lines, ...page.lines]));
      setNext(page.next);
      setTrouble("");
    },
    [filter],
  );
  useEffect(() => void read(null).catch(told), [read, told]);
  useEffect(() => void verifyAudit(setChecked).catch(told), [told]);
  const again = () => {
    setChecked(null);
    void verifyAudit(setChecked).catch(told);
    void read(null).catch(told);
  };

  return (
    <Section
      title="Audit trail"
      note="Ids, states and fingerprints, never what people wrote"
      aside={<Chain checked={checked} onAgain={again} />}
    >
      <div class={styles.tools}>
        <Choose label="What" value={chosen.what} options={WHATS} onChoose={(what) => setChosen({ ...chosen, what })} />
        {chosen.confirmation && (
          <button type="button" onClick={() => setChosen(ALL)}>
            One write only ×
          </button>
        )}
        <span class={styles.space} />
        <button type="button" onClick={() => void saveAudit("csv", filter).catch(told)}>
          Export CSV
        </button>
        <button type="button" onClick={() => void saveAudit("jsonl", filter).catch(told)}>
          Export JSONL
        </button>
      </div>
      {trouble && (
        <p class={styles.trouble} role="alert">
          {trouble}
        </p>
      )}
      {chosen.confirmation && lines.length > 0 && <WriteStory lines={lines} />}
      <AuditTable lines={lines} checked={checked} onFollow={(confirmation) => setChosen({ ...ALL, confirmation })} />
      {next !== null && (
        <button type="button" class={styles.older} onClick={() => void read(next).catch(told)}>
          Older lines
        </button>
      )}
    </Section>
  );
}

function Chain({ checked, onAgain }: { checked: Checked | null; onAgain: () => void }) {
  const isOver = checked && (!checked.whole || checked.lines >= checked.of);
  const words = !checked
    ? "Checking the chain…"
    : !checked.whole
      ? `The record was touched: ${checked.reason}`
      : checked.lines < checked.of
        ? `${count(checked.lines)} of ${count(checked.of)} lines checked…`
        : `${count(checked.lines)} lines, nothing changed`;
  return (
    <div class={styles.chain} data-broken={checked?.whole === false}>
      <p role="status" title={checked ? `Last seal ${checked.last_hash}` : undefined}>
        {isOver && <span aria-hidden="true">{checked.whole ? "✓" : "✕"}</span>} {words}
      </p>
      <button type="button" onClick={onAgain}>
        Check again
      </button>
    </div>
  );
}
