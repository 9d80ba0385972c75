/** Asked once: who somebody is, and where. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Profile } from "../house.ts";
import { goBack } from "../keys.ts";
import { Button, TextButton } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import parts from "./parts.module.css";
import styles from "./Shell.module.css";
import { Zones } from "./Zones.tsx";

export type FirstRunProps = {
  profile: Profile;
  checks: { words: string; isOk: boolean }[];
  onSave(change: { name: string | null; time_zone: string }): Promise<string>;
  onSkip(): void;
  /** Answers are read out and not spoken, a key is held to talk. */
  onScreenReader(): void;
};

/** What works here, and what does not. */
export function checksOf(hears: boolean): { words: string; isOk: boolean }[] {
  return [
    { words: "Connected", isOk: true },
    { words: isSecureContext ? "Secure page" : "Not a secure page: no microphone", isOk: isSecureContext },
    { words: hears ? "Sayso can hear" : "Sayso has no ears here: type", isOk: hears },
  ];
}

export function FirstRun({ profile, checks, onSave, onSkip, onScreenReader }: FirstRunProps) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [name, setName] = useState(profile.name ?? "");
  const [zone, setZone] = useState(here || profile.time_zone);
  const [problem, setProblem] = useState("");
  const form = useRef<HTMLFormElement>(null);
  // Once it is answered or put off, the keyboard goes to where one writes.
  useLayoutEffect(
    () => () => {
      if (form.current?.contains(document.activeElement)) goBack();
    },
    [],
  );
  return (
    <form
      ref={form}
      class={styles.first}
      onSubmit={async (event) => {
        event.preventDefault();
        setProblem(await onSave({ name: name.trim() || null, time_zone: zone }));
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
          <Zones id="first-zone" zone={zone} onZone={setZone} />
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
        <TextButton class={styles.reader} onClick={onScreenReader}>
          I use a screen reader
        </TextButton>
      </div>
    </form>
  );
}
