/** A misheard sentence put right, in the place where it stands. */
import { useLayoutEffect, useRef } from "preact/hooks";
import styles from "./Bubble.module.css";
import { Button } from "./Button.tsx";

export function Correction({ text, onDone }: { text: string; onDone(text: string): void }) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.select(), []);
  const finish = (isKept: boolean) => onDone(isKept ? (box.current?.value.trim() ?? "") : "");
  return (
    <div class={styles.editor}>
      <textarea
        ref={box}
        defaultValue={text}
        rows={1}
        aria-label="What you meant to say"
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.stopPropagation();
            finish(false);
          }
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          finish(true);
        }}
      />
      <div class={styles.editorActions}>
        <Button isSmall looks="quiet" onClick={() => finish(false)}>
          Back
        </Button>
        <Button isSmall looks="primary" onClick={() => finish(true)}>
          Say this instead
        </Button>
      </div>
    </div>
  );
}
