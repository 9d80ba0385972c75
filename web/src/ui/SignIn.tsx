/** Who is it? Asked only where the server wants to know. There is nothing behind it to go back to. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./Button.tsx";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";

export function SignIn({ why, onKey }: { why: string; onKey(key: string): void }) {
  const box = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    box.current?.showModal();
    field.current?.focus();
  }, []);
  return (
    <dialog
      ref={box}
      class={styles.dialog}
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
    >
      <form
        class={styles.signIn}
        onSubmit={(event) => {
          event.preventDefault();
          const key = field.current?.value.trim();
          if (key) onKey(key);
        }}
      >
        <h2 id="sign-in-title">Who is it?</h2>
        <p>
          This Sayso opens with a key. On the machine it runs on, <code>sayso keys create</code> makes one.
        </p>
        <label class={parts.label} for="sign-in-key">
          Your key
        </label>
        <input
          ref={field}
          id="sign-in-key"
          class={parts.field}
          type="password"
          autocomplete="current-password"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="sign-in-why"
        />
        <p id="sign-in-why" class={styles.wrong} role="alert">
          {why}
        </p>
        <Button looks="primary" type="submit">
          Come in
        </Button>
        <p>It is kept for this tab only, and never stands in an address.</p>
      </form>
    </dialog>
  );
}
