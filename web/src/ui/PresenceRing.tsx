/** Sayso's presence in a small ring: it follows what is really sent, worked on and played. */
import type { ReadonlySignal } from "@preact/signals";
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import styles from "./Status.module.css";

export type Looks = "still" | "open" | "listening" | "heard" | "thinking" | "working" | "asking" | "speaking" | "bad";

type Props = {
  looks: Looks;
  /** From 0 to 1: of the microphone, or of the voice. */
  loud: ReadonlySignal<number>;
  /** While working: how many steps are done. */
  steps: { done: number; of: number } | null;
};

const AROUND = 2 * Math.PI * 10;

export function PresenceRing({ looks, loud, steps }: Props) {
  const ring = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const share = Math.min(1, loud.value * 3);
    if (!document.hidden) ring.current?.style.setProperty("--loud", share.toFixed(2));
  });
  return (
    <span ref={ring} class={styles.ring} data-looks={looks} aria-hidden="true">
      {looks === "thinking" && (
        <span class={styles.dots}>
          <i />
          <i />
          <i />
        </span>
      )}
      {looks === "speaking" && (
        <span class={styles.bars}>
          <i />
          <i />
          <i />
          <i />
        </span>
      )}
      {(looks === "listening" || looks === "speaking") && (
        <span class={styles.lamps}>
          {[0, 1, 2, 3, 4].map((at) => (
            <i key={at} style={{ "--at": at }} />
          ))}
        </span>
      )}
      {looks === "working" && <Segments steps={steps} />}
      {looks === "asking" && <span class={styles.glyph}>!</span>}
      {looks === "bad" && <span class={styles.glyph}>✕</span>}
    </span>
  );
}

function Segments({ steps }: { steps: Props["steps"] }) {
  const share = steps && steps.of > 1 ? Math.max(0.08, steps.done / steps.of) : 0.25;
  return (
    <svg
      class={styles.segments}
      viewBox="0 0 24 24"
      data-turning={!steps || steps.of < 2}
      aria-hidden="true"
      focusable="false"
    >
      <circle class={styles.base} cx="12" cy="12" r="10" />
      <circle
        class={styles.share}
        cx="12"
        cy="12"
        r="10"
        stroke-dasharray={AROUND}
        stroke-dashoffset={AROUND * (1 - share)}
      />
    </svg>
  );
}
