/** The first thing people see: what can be said, and once, who they are. */
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { MicState } from "../../sdk/index.ts";
import { Button } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import { PresenceRing } from "./PresenceRing.tsx";
import styles from "./Shell.module.css";

const SUGGESTIONS: { icon: IconName; words: string }[] = [
  { icon: "event", words: "What meetings do I have tomorrow?" },
  { icon: "mail", words: "Any new mail from Priya?" },
  { icon: "clock", words: "When am I free on Thursday?" },
  { icon: "edit", words: "Reply to Priya Nair that Thursday works" },
];

type Props = {
  name: string;
  onSay(words: string): void;
  /** The way to begin aloud, where there are ears. */
  talk: ComponentChildren;
  /** The question who they are, where it is asked. */
  first: ComponentChildren;
  /** It may still come: nothing will move for it. */
  isNew: boolean;
};

export function Welcome({ name, onSay, talk, first, isNew }: Props) {
  return (
    <div class={styles.welcome} data-new={isNew}>
      <div>
        <h2>{name ? `What’s on your mind, ${name}?` : "What’s on your mind?"}</h2>
        <p class={styles.lead}>
          I look through your mail and calendar, write and schedule, and read what you attach. Nothing is sent or
          changed without your say-so.
        </p>
      </div>
      {talk}
      <ul class={styles.chips} aria-label="Suggestions">
        {SUGGESTIONS.map(({ icon, words }) => (
          <li key={words}>
            <button type="button" class={styles.chip} onClick={() => onSay(words)}>
              <Icon name={icon} />
              <span>{words}</span>
            </button>
          </li>
        ))}
      </ul>
      {first}
    </div>
  );
}

type TalkProps = { mic: MicState; words: string; level: ReadonlySignal<number>; onTalk(): void };

/** Talk, until somebody can; from then on, what the microphone does. */
export function Talk({ mic, words, level, onTalk }: TalkProps) {
  const isOn = mic === "open" || mic === "hearing" || mic === "muted";
  return (
    <div class={styles.firstActions}>
      {isOn ? (
        <p class={styles.hears} data-hears>
          {mic === "muted" ? (
            <Icon name="micOff" size={22} />
          ) : (
            <PresenceRing looks="listening" loud={level} steps={null} />
          )}
          {words}
        </p>
      ) : (
        <Button looks="primary" class={styles.talk} isOff={mic === "asking"} onClick={onTalk}>
          <Icon name="mic" size={22} /> Talk
        </Button>
      )}
      <span class={styles.lead}>or type below</span>
    </div>
  );
}

/** The same room, while it is not known whether there are ears. */
export function TalkPlace() {
  return <div class={styles.talk} />;
}
