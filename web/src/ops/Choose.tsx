/** One of many, or all of them. */
import styles from "./Choose.module.css";

export function Choose({
  label,
  value,
  options,
  isInRow,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly string[];
  isInRow?: boolean;
  onChoose: (value: string) => void;
}) {
  return (
    <label class={`${styles.choose} ${isInRow ? styles.inRow : ""}`}>
      {label}
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">all</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {option.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </label>
  );
}
