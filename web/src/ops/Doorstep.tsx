/** Before there is something to see: nothing has happened, or nobody has said who they are. */
import { useState } from "preact/hooks";
import styles from "./Doorstep.module.css";
import { keepKey, type Refusal } from "./door.ts";

const TRAFFIC = 'sayso say "What meetings do I have tomorrow?"';

export function Empty({ window, tool }: { window: string; tool: string }) {
  if (tool) {
    return (
      <section class={styles.card} aria-labelledby="empty">
        <h2 id="empty">
          {tool} was not used in the last {window}
        </h2>
        <p>Another tool, or all of them, can be chosen above.</p>
      </section>
    );
  }
  return (
    <section class={styles.card} aria-labelledby="empty">
      <h2 id="empty">Nothing happened in the last {window}</h2>
      <p>Figures appear with the first turn. To make one, talk to Sayso in the chat, or in a terminal:</p>
      <pre>{TRAFFIC}</pre>
      <p>
        A write asks first: <code>sayso say --approve send_email "Tell Dana that Thursday works"</code> also fills the
        confirmations and the audit.
      </p>
      <a href="/">Open the chat</a>
    </section>
  );
}

export function Locked({ refusal, onKey }: { refusal: Refusal; onKey: () => void }) {
  const [key, setKey] = useState("");
  const enter = (event: Event) => {
    event.preventDefault();
    keepKey(key.trim());
    onKey();
  };
  return (
    <main class={styles.locked}>
      <section class={styles.card} aria-labelledby="locked">
        <h1 id="locked">For operators</h1>
        <p>
          This page is about everybody, so it takes an operator’s key. Make one on the server:{" "}
          <code>sayso keys create --name ops --operator</code>
        </p>
        <form onSubmit={enter}>
          <label for="key">Key</label>
          <input
            id="key"
            type="password"
            autoComplete="off"
            spellcheck={false}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
            required
          />
          <button type="submit">Open</button>
        </form>
        <p class={styles.refusal} role="status">
          {refusal.status === 403
            ? "That key is a person’s, not an operator’s."
            : refusal.code === "unauthenticated" && key
              ? "That key is not valid, or not any more."
              : ""}
        </p>
        <p class={styles.note}>It is kept for this tab only.</p>
      </section>
    </main>
  );
}
