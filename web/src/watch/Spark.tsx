/** A line as small as a word; where nothing was measured, it has a gap. */
import styles from "./Spark.module.css";

type Props = { values: readonly (number | undefined)[]; label: string };

const WIDTH = 120;
const HEIGHT = 28;

export function Spark({ values, label }: Props) {
  const known = values.filter((value) => value !== undefined);
  if (known.length < 2) return null;
  const most = Math.max(...known, 1);
  const x = (index: number) => ((index / Math.max(1, values.length - 1)) * (WIDTH - 4) + 2).toFixed(1);
  const y = (value: number) => (HEIGHT - 3 - (value / most) * (HEIGHT - 6)).toFixed(1);
  let path = "";
  let isDown = false;
  const dots: { key: number; cx: string; cy: string }[] = [];
  values.forEach((value, index) => {
    if (value === undefined) {
      isDown = false;
      return;
    }
    path += `${isDown ? "L" : "M"}${x(index)} ${y(value)}`;
    if (!isDown && values[index + 1] === undefined) dots.push({ key: index, cx: x(index), cy: y(value) });
    isDown = true;
  });
  return (
    <svg
      class={styles.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} />
      {dots.map(({ key, cx, cy }) => (
        <circle key={key} cx={cx} cy={cy} r="1.6" />
      ))}
    </svg>
  );
}
