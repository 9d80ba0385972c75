/** The last minute of sound: the person above, Sayso below, and what came between them. */
import { useEffect, useRef } from "preact/hooks";
import { count, NONE, time } from "../watch/units.ts";
import own from "./AudioPanel.module.css";
import styles from "./Drawer.module.css";
import { hushesOf, jitterOf } from "./lanes.ts";
import { changesOf } from "./states.ts";
import type { Tape } from "./tape.ts";

const SECONDS = 60;
const HEIGHT = 180;

export function AudioPanel({ tape, roundTrip }: { tape: Tape; roundTrip: () => number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const timer = setInterval(() => canvas.current && !document.hidden && draw(canvas.current, tape), 100);
    return () => clearInterval(timer);
  }, [tape]);
  tape.changes.value; // drawn anew with whatever comes
  const hushes = hushesOf(tape.frames, Date.now());
  const number = (kind: string) => count(hushes.filter((hush) => hush.kind === kind).length);
  const jitter = jitterOf(tape.frames);
  const trip = roundTrip();
  const facts = [
    ["Interruptions", number("interruption")],
    ["Backchannels", number("backchannel")],
    ["Round trip", trip ? time(trip * 1000) : NONE],
    ["Jitter", time(jitter === undefined ? undefined : jitter * 1000)],
    ["Underruns", count(tape.stalls)],
    ["Lost breaks", count(tape.soundLost)],
  ] as const;
  return (
    <div class={styles.stack}>
      <canvas
        ref={canvas}
        class={own.lanes}
        height={HEIGHT}
        role="img"
        aria-label="How loud you and Sayso were in the last minute"
      />
      <ul class={own.legend}>
        <li data-lane="you">You</li>
        <li data-lane="sayso">Sayso</li>
        <li data-lane="hush">Turned down or cut</li>
        <li data-lane="state">State changed</li>
      </ul>
      <dl class={own.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, tape: Tape): void {
  const now = Date.now();
  const scale = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(scale, scale);
  const css = getComputedStyle(canvas);
  const colour = (name: string) => css.getPropertyValue(`--${name}`).trim();
  const x = (at: number) => width - ((now - at) / (SECONDS * 1000)) * width;
  const middle = HEIGHT / 2;
  context.fillStyle = colour("warn-soft");
  for (const { from, to } of hushesOf(tape.frames, now))
    context.fillRect(x(from), middle, Math.max(2, x(to) - x(from)), middle);
  context.fillStyle = colour("line");
  context.fillRect(0, middle, width, 1);
  for (const { at } of changesOf(tape.frames)) context.fillRect(x(Date.parse(at)), 0, 1, HEIGHT);
  const wide = Math.max(1, width / (SECONDS * 10) - 0.5);
  for (const { at, heard, spoken } of tape.beats) {
    context.fillStyle = colour("info");
    context.fillRect(x(at), middle - 4 - heard * (middle - 8), wide, heard * (middle - 8));
    context.fillStyle = colour("accent");
    context.fillRect(x(at), middle + 4, wide, spoken * (middle - 8));
  }
}
