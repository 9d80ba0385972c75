/** One of a few, side by side. */
import styles from "./Picker.module.css";

type Props<T extends string> = {
  label: string;
  options: readonly T[];
  names: Record<T, string>;
  chosen: T;
  onChoose: (option: T) => void;
};

export function Picker<T extends string>({ label, options, names, chosen, onChoose }: Props<T>) {
  return (
    <fieldset class={styles.picker}>
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option} data-chosen={option === chosen}>
          <input
            class="unseen"
            type="radio"
            name={label}
            checked={option === chosen}
            onChange={() => onChoose(option)}
          />
          {names[option]}
        </label>
      ))}
    </fieldset>
  );
}
