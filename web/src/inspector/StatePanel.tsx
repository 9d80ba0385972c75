/** Where the turn is right now, and how it came there. */
import type { TurnState } from "../../sdk/wire.gen.ts";
import styles from "./Drawer.module.css";
import { clockOf } from "./rows.ts";
import own from "./StatePanel.module.css";
import { ARROWS, changesOf, PLACES } from "./states.ts";
import type { Tape } from "./tape.ts";

const WIDTH = 112;
const HEIGHT = 34;
const STEP_X = 124;
const STEP_Y = 62;
const SHOWN = 30;

export function StatePanel({ tape }: { tape: Tape }) {
  tape.changes.value; // drawn anew with whatever comes
  const changes = changesOf(tape.frames);
  const now = changes[0]?.to ?? "idle";
  return (
    <div class={styles.stack}>
      <svg class={own.diagram} viewBox="-2 -2 364 226" role="img" aria-label={`The turn is ${PLACES[now].label}`}>
        <defs>
          <marker
            id="head"
            markerUnits="userSpaceOnUse"
            viewBox="0 0 6 6"
            refX="5"
            refY="3"
            markerWidth="7"
            markerHeight="7"
            orient="auto-start-reverse"
          >
            <path d="M0 0 6 3 0 6z" />
          </marker>
        </defs>
        {ARROWS.map(([from, to]) => (
          <path
            key={`${from} ${to}`}
            d={arrow(from, to)}
            data-last={changes[0]?.from === from && now === to}
            marker-end="url(#head)"
          />
        ))}
        {(Object.keys(PLACES) as TurnState[]).map((state) => {
          const { column, row, label } = PLACES[state];
          return (
            <g key={state} transform={`translate(${column * STEP_X} ${row * STEP_Y})`} data-now={state === now}>
              <rect width={WIDTH} height={HEIGHT} rx="9" />
              <text x={WIDTH / 2} y={HEIGHT / 2 + 4}>
                {label}
              </text>
            </g>
          );
        })}
      </svg>
      <p class={own.note}>
        From every state that works on something a turn may also be cancelled, tried again or fail.
      </p>
      <ol class={own.changes} aria-label="Changes, newest first">
        {changes.slice(0, SHOWN).map(({ number, at, from, to, reason, isLegal }) => (
          <li key={number} data-illegal={!isLegal}>
            <time dateTime={at}>{clockOf(at)}</time>
            <span>
              {PLACES[from].label} → {PLACES[to].label}
              {!isLegal && <b> not in the diagram</b>}
            </span>
            <small>{reason}</small>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** From the edge of one box to the edge of the other. */
function arrow(from: TurnState, to: TurnState): string {
  const centre = (state: TurnState) => ({
    x: PLACES[state].column * STEP_X + WIDTH / 2,
    y: PLACES[state].row * STEP_Y + HEIGHT / 2,
  });
  const [a, b] = [centre(from), centre(to)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const reach = (gap: number) =>
    Math.min((WIDTH / 2 + gap) / Math.max(1, Math.abs(dx)), (HEIGHT / 2 + gap) / Math.max(1, Math.abs(dy)));
  const [start, end] = [reach(1), 1 - reach(3)];
  // Two boxes with arrows both ways have them side by side.
  const isBoth = ARROWS.some(([one, other]) => one === to && other === from);
  const side = isBoth ? 5 : 0;
  const length = Math.hypot(dx, dy);
  const [ox, oy] = [(-dy / length) * side, (dx / length) * side];
  const point = (part: number) => `${(a.x + dx * part + ox).toFixed(1)} ${(a.y + dy * part + oy).toFixed(1)}`;
  return `M${point(start)}L${point(end)}`;
}
