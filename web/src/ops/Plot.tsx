/** Lines over time, with the values under the pointer. Drawn anew when the theme changes. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import styles from "./Plot.module.css";

export type Line = {
  label: string;
  /** The name of a colour in `tokens.css`. */
  colour: string;
  dash?: number[];
  values: (number | null)[];
};

type Props = {
  /** For those who do not see it: the same stands in a table beside it. */
  label: string;
  /** In seconds. */
  times: number[];
  lines: Line[];
  /** How a value is spelled. */
  spell: (value: number) => string;
  height: number;
  isBars?: boolean;
};

const ROOM_FOR_VALUES = 64;
const FEW = 16;
const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

export function Plot({ label, times, lines, spell, height, isBars = false }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data: uPlot.AlignedData = [times, ...lines.map(({ values }) => values)];
  const shape = lines.map(({ label }) => label).join();

  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(place, lines, spell, height, isBars), data, place);
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: place.clientWidth, height }));
    resized.observe(place);
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shape, height, isBars]);

  useEffect(() => plot.current?.setData(data));

  return <div class={styles.plot} data-bars={isBars} ref={box} role="img" aria-label={label} />;
}

function options(
  place: HTMLElement,
  lines: Line[],
  spell: (value: number) => string,
  height: number,
  isBars: boolean,
): uPlot.Options {
  const css = getComputedStyle(place);
  const colour = (name: string) => css.getPropertyValue(`--${name}`).trim();
  const axis: uPlot.Axis = {
    stroke: colour("quiet"),
    font: `12px ${css.getPropertyValue("--sans")}`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  const bars = isBars
    ? {
        paths: uPlot.paths.bars?.({ size: [0.7, 24] }),
        fill: colour(lines[0]?.colour ?? "accent"),
        points: { show: false },
      }
    : {};
  return {
    width: place.clientWidth,
    height,
    cursor: { sync: { key: "ops" }, drag: { x: false, y: false }, points: { size: 7 } },
    legend: { show: lines.length > 1 || isBars, live: true },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(most, 1) * 1.08] } },
    axes: [
      { ...axis, size: 34, grid: { show: false }, values: clockTimes },
      {
        ...axis,
        size: ROOM_FOR_VALUES,
        space: isBars ? 20 : 36,
        values: (_plot, splits) => splits.map((split) => (split === 0 ? "0" : spell(split).replace(/\.0+(?= )/, ""))),
      },
    ],
    series: [
      { label: "Time", value: (_plot, at) => (at === null ? "–" : clock(at)) },
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.label,
          stroke: colour(line.colour),
          width: isBars ? 0 : 2,
          dash: line.dash,
          points: { size: 5, space: 0, filter: alone },
          value: (_plot, value) => (value === null ? "–" : spell(value)),
          ...bars,
        }),
      ),
    ],
  };
}

/** A measurement without neighbours has no line to be seen by; where there are few, all are shown. */
function alone(plot: uPlot, series: number): number[] | null {
  const values = plot.data[series] ?? [];
  const isSparse = values.filter((value) => value != null).length <= FEW;
  const found: number[] = [];
  for (let index = 0; index < values.length; index += 1) {
    const isAlone = values[index - 1] == null && values[index + 1] == null;
    if (values[index] != null && (isSparse || isAlone)) found.push(index);
  }
  return found;
}

const clock = (at: number) => new Date(at * 1000).toLocaleString([], { weekday: "short", ...CLOCK });

function clockTimes(plot: uPlot, splits: number[]): string[] {
  const span = (plot.scales.x?.max ?? 0) - (plot.scales.x?.min ?? 0);
  const shape: Intl.DateTimeFormatOptions = span > 2 * 86_400 ? { weekday: "short", day: "numeric" } : CLOCK;
  return splits.map((at) => new Date(at * 1000).toLocaleString([], shape));
}
