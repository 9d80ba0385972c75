/** The first thing people see: what can be said, and once, who they are. */
import { useState } from "preact/hooks";
import type { Profile } from "../house.ts";
import { Button } from "./Button.tsx";
import { Icon, type IconName } from "./Icon.tsx";
import parts from "./parts.module.css";
import styles from "./Shell.module.css";

const SUGGESTIONS: { icon: IconName; words: string }[] = [
  { icon: "event", words: "What meetings do I have tomorrow?" },
  { icon: "mail", words: "Any new mail from Priya?" },
  { icon: "clock", words: "When am I free on Thursday?" },
  { icon: "edit", words: "Reply to Priya Nair that Thursday works" },
];

type Props = {
  name: string;
  canHear: boolean;
  onSay(words: string): void;
  onTalk(): void;
  first: FirstRunProps | null;
};

export function Welcome({ name, canHear, onSay, onTalk, first }: Props) {
  return (
    <div class={styles.welcome}>
      <div>
        <h2>{name ? `What’s on your mind, ${name}?` : "What’s on your mind?"}</h2>
        <p class={styles.lead}>
          I look through your mail and calendar, write and schedule, and read what you attach. Nothing is sent or
          changed without your say-so.
        </p>
      </div>
      {first && <FirstRun {...first} />}
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
      {canHear && (
        <div class={styles.firstActions}>
          <Button looks="primary" onClick={onTalk}>
            <Icon name="mic" /> Talk
          </Button>
          <span class={styles.lead}>or type below</span>
        </div>
      )}
    </div>
  );
}

export type FirstRunProps = {
  profile: Profile;
  checks: { words: string; isOk: boolean }[];
  onSave(name: string, timeZone: string): Promise<string>;
  onSkip(): void;
};

export function FirstRun({ profile, checks, onSave, onSkip }: FirstRunProps) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [name, setName] = useState(profile.name ?? "");
  const [zone, setZone] = useState(here || profile.time_zone);
  const [problem, setProblem] = useState("");
  const zones = [...new Set([zone, here, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean);
  return (
    <form
      class={styles.first}
      onSubmit={async (event) => {
        event.preventDefault();
        setProblem(await onSave(name.trim(), zone));
      }}
    >
      <div class={styles.firstRow}>
        <div class={styles.firstField}>
          <label class={parts.label} for="first-name">
            What should I call you?
          </label>
          <input
            id="first-name"
            class={parts.field}
            value={name}
            autocomplete="given-name"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </div>
        <div class={styles.firstField}>
          <label class={parts.label} for="first-zone">
            Your time zone
          </label>
          <select
            id="first-zone"
            class={parts.field}
            value={zone}
            onChange={({ currentTarget }) => setZone(currentTarget.value)}
          >
            {zones.map((one) => (
              <option key={one} value={one}>
                {one.replaceAll("_", " ")}
              </option>
            ))}
          </select>
        </div>
      </div>
      <div class={styles.checks}>
        {checks.map(({ words, isOk }) => (
          <span key={words} class={styles.check} data-ok={isOk}>
            <Icon name={isOk ? "check" : "warn"} size={15} /> {words}
          </span>
        ))}
      </div>
      {problem && <p role="alert">{problem}</p>}
      <div class={styles.firstActions}>
        <Button looks="primary" type="submit">
          That’s me
        </Button>
        <Button looks="quiet" onClick={onSkip}>
          Not now
        </Button>
      </div>
    </form>
  );
}
