/** The turns that let somebody wait longest; each opens in slow motion. */
import { useState } from "preact/hooks";
import { TurnWaterfall } from "../watch/TurnWaterfall.tsx";
import { shortId, time } from "../watch/units.ts";
import type { Waterfall } from "../watch/waterfall.ts";
import * as door from "./door.ts";
import type { SlowTurn } from "./figures.ts";
import { Section, Table } from "./Section.tsx";
import styles from "./Slowest.module.css";

const SHOWN = 5;

export function Slowest({ turns }: { turns: SlowTurn[] }) {
  const [open, setOpen] = useState("");
  const [isWhole, setWhole] = useState(false);
  if (!turns.length) return null;
  return (
    <Section title="Slowest turns" note="By how long the answer took to begin">
      <Table label="Slowest turns">
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">When</th>
            <th scope="col">Input</th>
            <th scope="col">Outcome</th>
            {["Answer began", "Understanding", "Tools", "Whole turn"].map((name) => (
              <th key={name} scope="col" data-number>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {turns.slice(0, isWhole ? turns.length : SHOWN).map((turn) => (
            <Turn
              key={turn.turn_id}
              turn={turn}
              isOpen={open === turn.turn_id}
              onToggle={() => setOpen(open === turn.turn_id ? "" : turn.turn_id)}
            />
          ))}
        </tbody>
      </Table>
      {turns.length > SHOWN && (
        <button type="button" class={styles.more} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${turns.length}`}
        </button>
      )}
    </Section>
  );
}

function Turn({ turn, isOpen, onToggle }: { turn: SlowTurn; isOpen: boolean; onToggle: () => void }) {
  const [told, setTold] = useState<Waterfall | string>("");
  const toggle = () => {
    onToggle();
    if (isOpen || typeof told !== "string") return;
    door.turn(turn.turn_id).then(setTold, (error: Error) => setTold(error.message));
  };
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" class={styles.open} aria-expanded={isOpen} title={turn.turn_id} onClick={toggle}>
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {shortId(turn.turn_id)}
          </button>
        </th>
        <td>
          {new Date(turn.started_at).toLocaleString([], {
            weekday: "short",
            hour: "2-digit",
            minute: "2-digit",
            hourCycle: "h23",
            second: "2-digit",
          })}
        </td>
        <td>{turn.input_mode === "voice" ? "spoken" : "typed"}</td>
        <td class={styles.outcome} data-outcome={turn.outcome}>
          {turn.outcome}
        </td>
        <td data-number>
          <b>{time(turn.answered_us)}</b>
        </td>
        <td data-number>{time(turn.thought_us)}</td>
        <td data-number>{time(turn.tool_us)}</td>
        <td data-number>{time(turn.took_us)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={8} class={styles.inside}>
            {typeof told === "string" ? (
              <p role="status">{told || "Reading the turn…"}</p>
            ) : (
              <TurnWaterfall turn={told} />
            )}
          </td>
        </tr>
      )}
    </>
  );
}
