/** Something beside the conversation, for a while: Esc closes it and gives the focus back. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./Button.tsx";
import styles from "./Sheet.module.css";

export function Sheet({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  // Before anything else happens: later, the focus would be taken from where somebody has gone.
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes with Esc by itself
    <dialog
      ref={box}
      class={styles.sheet}
      aria-label={title}
      onClose={onClose}
      onClick={({ target }) => target === box.current && onClose()}
    >
      <div class={styles.head}>
        <h2>{title}</h2>
        <IconButton icon="close" label={`Close ${title.toLowerCase()}`} onClick={onClose} />
      </div>
      <div class={styles.body}>{children}</div>
    </dialog>
  );
}

export function Group({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class={styles.group}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

export function Toggle({
  label,
  note,
  isOn,
  onTurn,
}: {
  label: string;
  note: string;
  isOn: boolean;
  onTurn(isOn: boolean): void;
}) {
  return (
    <div class={styles.setting}>
      <div class={styles.settingWords}>
        {label}
        <p>{note}</p>
      </div>
      <button
        type="button"
        class={styles.switch}
        role="switch"
        aria-checked={isOn}
        aria-label={label}
        onClick={() => onTurn(!isOn)}
      />
    </div>
  );
}
