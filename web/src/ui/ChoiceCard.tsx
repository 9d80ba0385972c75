/** A question whose answers can be counted. Choosing says the name, as the person could have done. */
import { useLayoutEffect, useRef } from "preact/hooks";
import styles from "./Card.module.css";
import { memo } from "./memo.ts";

const MOST_KEYS = 9;
const NONE = "None of these";
/** "Priya Nair (priya@example.com)": who, and which of those who are called so. */
const WITH_ADDRESS = /^(.+) \(([^()]+)\)$/;

type Props = { names: readonly string[]; onSay: ((words: string) => void) | null };

export const ChoiceCard = memo(({ names, onSay }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const pressed = ({ key, ctrlKey, metaKey, altKey, isComposing, repeat, target }: KeyboardEvent) => {
      if (ctrlKey || metaKey || altKey || isComposing || repeat || !/^[1-9]$/.test(key)) return;
      const isHere = target === document.body || (target instanceof Node && box.current?.contains(target));
      const name = names[Number(key) - 1];
      if (isHere && name) onSay?.(name);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [names, onSay]);
  return (
    <div ref={box} class={styles.choices} role="group" aria-label="Choose one" tabIndex={-1} data-choices>
      {names.map((name, at) => (
        <button key={name} type="button" class={styles.choice} onClick={() => onSay?.(name)}>
          {at < MOST_KEYS && <kbd aria-hidden="true">{at + 1}</kbd>}
          <Name whole={name} />
        </button>
      ))}
      <button type="button" class={`${styles.choice} ${styles.none}`} onClick={() => onSay?.("none of these")}>
        {NONE}
      </button>
    </div>
  );
});

function Name({ whole }: { whole: string }) {
  const [, name = whole, address = ""] = WITH_ADDRESS.exec(whole) ?? [];
  return (
    <span class={styles.choiceWords}>
      <b>{name}</b>
      {address && <span class={styles.address}>{address}</span>}
    </span>
  );
}
