/** What became of a card. It stays in the thread. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { gist } from "../gist.ts";
import type { CardItem } from "../items.ts";
import { receiptOf, type Tone } from "../receipt.ts";
import { type undoing, undoOf } from "../undo.ts";
import { Button, TextButton } from "./Button.tsx";
import styles from "./Card.module.css";
import { clockTime } from "./clock.ts";
import { copyText } from "./copy.ts";
import { offersAfterNo } from "./hints.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { memo } from "./memo.ts";
import { Preview } from "./Preview.tsx";
import tools from "./Tool.module.css";

const MARKS: Record<Tone, IconName> = { busy: "clock", done: "check", not: "close", bad: "warn", unsure: "help" };

type Props = {
  card: CardItem;
  isOurs: boolean;
  isElsewhere: boolean;
  /** What was being changed in it, and is not in what was decided. */
  unusedIn: (card: CardItem) => string;
  /** A later card has undone it, or would. */
  undoing: ReturnType<typeof undoing>;
  /** Words that ask for it once more, where it failed and nothing was done. */
  again: string;
  onSay: ((words: string) => void) | null;
};

export const Receipt = memo(({ card, isOurs, isElsewhere, unusedIn, undoing, again, onSay }: Props) => {
  const { tone, words, note } = receiptOf(card, isElsewhere, clockTime);
  const undo = undoing ? "" : undoOf(card.question, Date.now());
  const offers = card.answer?.decision === "reject" && isOurs ? offersAfterNo(card.question, Date.now()) : [];
  const { message_id, event_id, memory_id } = (card.result?.output ?? {}) as Record<string, string | undefined>;
  const id = message_id ?? event_id ?? memory_id;
  const way = tone === "done" ? undo : again;
  const box = useRef<HTMLElement>(null);
  const unused = unusedIn(card);
  // Whoever was writing in it goes on nowhere else: their next words are not for the box below.
  useLayoutEffect(() => {
    if (unused && document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={box} class={styles.receipt} data-tone={tone} data-receipt={card.id} aria-label={words} tabIndex={-1}>
      <details>
        <summary class={styles.receiptHead}>
          <span class={styles.receiptMark}>
            {tone === "busy" ? <span class={tools.spinner} /> : <Icon name={MARKS[tone]} size={15} />}
          </span>
          <span class={styles.receiptWords}>
            <span class={styles.receiptTitle}>{words}</span>{" "}
            <span class={styles.receiptGist}>{gist(card.question)}</span>
            {note && <span class={styles.receiptNote}>{note}</span>}
          </span>
          <span class={styles.receiptMore}>Details</span>
        </summary>
        <div class={styles.receiptBody}>
          <Preview question={{ ...card.question, changed: [] }} onSay={null} />
          {id && <p class={styles.zone}>{id}</p>}
        </div>
      </details>
      {unused && <Unused words={unused} />}
      {undoing === "done" && <span class={styles.step}>Taken back</span>}
      {way && onSay && <TextButton onClick={() => onSay(way)}>{tone === "done" ? "Undo" : "Try again"}</TextButton>}
      {offers.length > 0 && onSay && (
        <div class={styles.chips}>
          {offers.map((words) => (
            <Button key={words} isSmall data-offer onClick={() => onSay(words)}>
              {words}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
});

function Unused({ words }: { words: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <p class={styles.unused} role="alert">
      Your changes were not used.{" "}
      <TextButton onClick={async () => setCopied(await copyText(words))}>
        {isCopied ? "Copied" : "Copy them"}
      </TextButton>
    </p>
  );
}
