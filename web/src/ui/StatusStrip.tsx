/** One line that says how far the turn is, and the way to stop it. */
import type { ReadonlySignal } from "@preact/signals";
import { Button } from "./Button.tsx";
import { type Looks, PresenceRing } from "./PresenceRing.tsx";
import styles from "./Status.module.css";

export type Status = {
  looks: Looks;
  words: string;
  tone: "calm" | "asking" | "bad";
  canStop: boolean;
  steps: { done: number; of: number } | null;
};

type Props = { status: Status; loud: ReadonlySignal<number>; onStop(): void };

export function StatusStrip({ status, loud, onStop }: Props) {
  return (
    <div class={styles.strip}>
      <PresenceRing looks={status.looks} loud={loud} steps={status.steps} />
      <p class={styles.words} data-tone={status.tone} data-status>
        {status.words}
      </p>
      {status.canStop && (
        <Button isSmall looks="quiet" onClick={onStop} class={styles.stop}>
          <i aria-hidden="true" /> Stop <kbd aria-hidden="true">Esc</kbd>
        </Button>
      )}
    </div>
  );
}
