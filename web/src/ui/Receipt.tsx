/** What became of a card. It stays in the thread. */

import { gist } from "../gist.ts";
import type { CardItem } from "../items.ts";
import { receiptOf, type Tone } from "../receipt.ts";
import { undoOf } from "../undo.ts";
import { Button, TextButton } from "./Button.tsx";
import styles from "./Card.module.css";
import { clockTime } from "./clock.ts";
import { offersAfterNo } from "./hints.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { memo } from "./memo.ts";
import { Preview } from "./Preview.tsx";
import parts from "./parts.module.css";
import tools from "./Tool.module.css";

const MARKS: Record<Tone, IconName> = { busy: "clock", done: "check", not: "close", bad: "warn", unsure: "help" };

type Props = {
  card: CardItem;
  isOurs: boolean;
  isElsewhere: boolean;
  /** A later card has undone it. */
  isTakenBack: boolean;
  onSay: ((words: string) => void) | null;
};

export const Receipt = memo(({ card, isOurs, isElsewhere, isTakenBack, onSay }: Props) => {
  const { tone, words, note } = receiptOf(card, isElsewhere, clockTime);
  const undo = isTakenBack ? "" : undoOf(card.question, Date.now());
  const offers = card.answer?.decision === "reject" && isOurs ? offersAfterNo(card.question, Date.now()) : [];
  return (
    <section class={styles.receipt} data-tone={tone} data-receipt={card.id} aria-label={words} tabIndex={-1}>
      {tone === "busy" ? (
        <span class={styles.receiptMark}>
          <span class={tools.spinner} />
        </span>
      ) : (
        <span class={styles.receiptMark}>
          <Icon name={MARKS[tone]} size={15} />
        </span>
      )}
      <div class={styles.receiptWords}>
        <p class={styles.receiptTitle}>
          <span>{words}</span>
          {isTakenBack && <span class={styles.step}>Taken back</span>}
          {tone === "done" && undo && onSay && <TextButton onClick={() => onSay(undo)}>Undo</TextButton>}
        </p>
        <p class={styles.receiptGist}>{gist(card.question)}</p>
        {offers.length > 0 && onSay && (
          <div class={styles.chips}>
            {offers.map((words) => (
              <Button key={words} isSmall data-offer onClick={() => onSay(words)}>
                {words}
              </Button>
            ))}
          </div>
        )}
        <div class={styles.receiptFoot}>
          {note && <span>{note}</span>}
          <details class={parts.details}>
            <summary>Details</summary>
            <Preview question={{ ...card.question, changed: [] }} onSay={null} />
          </details>
        </div>
      </div>
    </section>
  );
});
