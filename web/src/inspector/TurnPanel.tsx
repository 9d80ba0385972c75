/** One turn of this session in slow motion; the newest unless another is chosen. */
import { useState } from "preact/hooks";
import { TurnWaterfall } from "../watch/TurnWaterfall.tsx";
import styles from "./Drawer.module.css";
import { median } from "./figures.ts";
import type { Tape } from "./tape.ts";
import { turnsOf, waterfallOf } from "./turns.ts";

export function TurnPanel({ tape }: { tape: Tape }) {
  const [chosen, setChosen] = useState<string | null>(null);
  tape.changes.value; // drawn anew with whatever comes
  const turns = turnsOf(tape.frames);
  const at = chosen && turns.includes(chosen) ? turns.indexOf(chosen) : turns.length - 1;
  const id = turns[at];
  const turn = id ? waterfallOf(tape.frames, id, tape.played) : null;
  if (!turn) return <p class={styles.none}>No turn yet. Say or type something.</p>;
  const go = (to: number) => setChosen(to >= turns.length - 1 ? null : (turns[to] ?? null));
  return (
    <div class={styles.stack}>
      <div class={styles.walk}>
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          ← Before
        </button>
        <p>
          Turn {at + 1} of {turns.length}
        </p>
        <button type="button" disabled={at === turns.length - 1} onClick={() => go(at + 1)}>
          Next →
        </button>
      </div>
      <TurnWaterfall turn={turn} usual={usual(tape, turns)} grain_us={1000} />
    </div>
  );
}

/** What half of this session's turns took to their first word. */
function usual(tape: Tape, turns: string[]): { label: string; us: number } | undefined {
  const waited = turns.flatMap((id) => {
    const first = waterfallOf(tape.frames, id)?.marks.find(({ name }) => name === "first_token");
    return first ? [first.at_us] : [];
  });
  const us = median(waited);
  return us === undefined || waited.length < 2 ? undefined : { label: "Usual first word here", us };
}
