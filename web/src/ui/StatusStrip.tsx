/** One line that says how far the turn is, and the way to stop it. */
import type { ReadonlySignal } from "@preact/signals";
import type { Touch } from "../../sdk/index.ts";
import { Button } from "./Button.tsx";
import { type Looks, PresenceRing } from "./PresenceRing.tsx";
import styles from "./Status.module.css";

export type Status = {
  looks: Looks;
  words: string;
  /** The same where there is little room; nothing where it is short enough. */
  short?: string;
  tone: "calm" | "asking" | "bad";
  /** What Stop says no to; nothing where it only stops the voice or the work. */
  stop: { means: string } | null;
  steps: { done: number; of: number } | null;
  /** A tap on the line stops the voice. */
  isHushable: boolean;
};

type Props = { status: Status; loud: ReadonlySignal<number>; onStop(channel: Touch): void; onHush(): void };

export function StatusStrip({ status, loud, onStop, onHush }: Props) {
  return (
    <div class={styles.strip}>
      <PresenceRing looks={status.looks} loud={loud} steps={status.steps} />
      <p class={styles.words} data-tone={status.tone} data-status>
        {status.isHushable ? (
          <button type="button" class={styles.hush} onClick={onHush}>
            <span class={styles.long}>{status.words}</span>
            <span class={styles.short}>{status.short ?? status.words}</span>
          </button>
        ) : (
          status.words
        )}
      </p>
      {status.stop && (
        <Button
          isSmall
          looks="quiet"
          class={styles.stop}
          title={status.stop.means || undefined}
          data-stop={status.stop.means ? "card" : "work"}
          onClick={({ detail }) => onStop(detail ? "click" : "key")}
        >
          <i aria-hidden="true" />
          <span aria-hidden="true">{status.stop.means || "Stop"}</span>
          <span class="unseen">{["Stop", status.stop.means].filter(Boolean).join(": ")}</span>
          <kbd aria-hidden="true">Esc</kbd>
        </Button>
      )}
    </div>
  );
}
