/** What went wrong, what came of it all the same, and the one thing to do about it. */
import type { Notice as NoticeItem } from "../items.ts";
import type { Outcome } from "../outcome.ts";
import { TextButton } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Shell.module.css";

const LISTS: [keyof Outcome, string, IconName][] = [
  ["done", "Done", "check"],
  ["not", "Not done", "close"],
  ["unknown", "Not known", "help"],
];

type Props = { notice: NoticeItem; outcome: Outcome | null; onSay(words: string): void };

export function Notice({ notice, outcome, onSay }: Props) {
  return (
    <div class={styles.notice}>
      <span>{notice.words}</span>
      {notice.again && <TextButton onClick={() => onSay(notice.again)}>Try again</TextButton>}
      {outcome && (
        <dl class={styles.outcome}>
          {LISTS.filter(([kind]) => outcome[kind].length > 0).map(([kind, words, icon]) => (
            <div key={kind} data-kind={kind}>
              <dt>
                <Icon name={icon} size={14} /> {words}
              </dt>
              <dd>{outcome[kind].join(", ")}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
