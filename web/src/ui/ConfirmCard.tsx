/**
 * Asks before a write, and shows exactly what will be done. Nothing here accepts by
 * accident: buttons come alive after a moment, one answer goes at a time, and none
 * while nobody is there to take it.
 */
import { useRef, useState } from "preact/hooks";
import type { Choice, Touch } from "../../sdk/index.ts";
import type { KeptEdit } from "../drafts.ts";
import type { CardItem } from "../items.ts";
import styles from "./Card.module.css";
import { Actions, type Before, Foot } from "./ConfirmActions.tsx";
import { type Editing, keysOf, useArming, useCountDown, useRebase } from "./confirming.ts";
import type { Entry } from "./editing.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { Preview } from "./Preview.tsx";

const KEPT = "Your changes are kept and not sent. Edit brings them back.";
const OFFLINE = "Offline. You can answer when the connection is back.";

export type CardProps = {
  card: CardItem;
  isLive: boolean;
  /** It comes alive after this; longer where a card takes the place of one that was just answered. */
  armAfterMs: number;
  pending: Choice | null;
  problem: string;
  /** What was changed here before, and neither sent nor thrown away. */
  kept: KeptEdit | null;
  leftMs(): number;
  onAnswer(decision: Choice, channel: Touch, edited?: Record<string, unknown>): void;
  onKeep(edit: KeptEdit | null): void;
  onSay(words: string): void;
  onTouch(): void;
  onKeepOpen(): void;
  /** Where it stands among those that wait, from 1. */
  place: { at: number; of: number };
  before: Before | null;
};

/** Concerns about who it goes to: they weigh more than what is only worth knowing. */
const GRAVE = /recipient|address|name_/;

export const CARD_ICONS: Record<string, IconName> = { email: "mail", event: "event", memory: "memory", lines: "lines" };

export function ConfirmCard(props: CardProps) {
  const { card, isLive, pending, problem } = props;
  const { question } = card;
  const [entries, setEntries] = useState<Entry[] | null>(null);
  // The fields come after the chat, and are here by the time somebody wants them.
  const [editing, setEditing] = useState<Editing | null>(null);
  const [note, setNote] = useState("");
  const isArmed = useArming(`${question.revision} ${entries !== null}`, props.armAfterMs);
  const leftMs = useCountDown(props.leftMs);
  const box = useRef<HTMLElement>(null);
  const { revision } = question;
  const kept = props.kept?.revision === revision ? props.kept.entries : null;
  const change = (next: Entry[] | null) => {
    setEntries(next);
    props.onKeep(next && editing?.isChanged(next) ? { revision, entries: next } : null);
  };
  useRebase(card, pending, editing, entries, change, setNote);

  const reason = !isLive ? OFFLINE : leftMs <= 0 ? "Time is up." : "";
  const can = isArmed && !pending && !reason && !props.before;
  const answer = (decision: Choice, channel: Touch, edited?: Record<string, unknown>) =>
    can && props.onAnswer(decision, channel, edited);
  const save = (channel: Touch) => {
    if (!entries || !editing || !can) return;
    const looked = editing.checked(entries);
    setEntries(looked);
    const wrong = looked.find((entry) => entry.problem);
    if (wrong) return document.getElementById(editing.fieldId(card.id, wrong.field.name))?.focus();
    const edited = editing.changes(looked);
    if (Object.keys(edited).length) answer("edit", channel, edited);
    else answer("accept", channel);
  };
  const leave = (isKept: boolean) => {
    if (pending) return;
    setNote("");
    if (isKept) setEntries(null);
    else change(null);
    box.current?.focus({ preventScroll: true });
  };
  const back = () => leave(true);
  const edit = () => {
    if (!can || !question.allowed_decisions.includes("edit")) return;
    setNote("");
    import("./edit.tsx").then(
      (brought) => {
        setEditing(brought);
        setEntries(kept ?? brought.entriesOf(question));
      },
      () => setNote(OFFLINE),
    );
  };
  const accept = (channel: Touch) => (entries ? save(channel) : answer("accept", channel));
  const meant = keysOf({
    isEditing: entries !== null,
    accept: () => accept("key"),
    reject: () => answer("reject", "key"),
    edit,
    back,
  });

  const told = note || (kept && !entries ? KEPT : "");
  const { warnings, preview, step } = question;
  const conflicts = preview.kind === "event" && (preview.conflicts?.length ?? 0) > 0;
  return (
    <section
      ref={box}
      class={styles.card}
      role="group"
      aria-labelledby={`${card.id}-title`}
      tabIndex={-1}
      data-card={card.id}
      onKeyDown={meant}
      onPointerMove={props.onTouch}
      onInput={props.onTouch}
      onFocusIn={props.onTouch}
    >
      <header class={styles.head}>
        <span class={styles.mark}>
          <Icon name={CARD_ICONS[preview.kind] ?? "lines"} size={18} />
        </span>
        <h2 id={`${card.id}-title`} class={styles.title}>
          {question.title}
        </h2>
        <span class={styles.step}>{places(step, props.place)}</span>
      </header>
      {entries && editing ? (
        <editing.ConfirmEdit
          id={card.id}
          entries={entries}
          isLocked={pending !== null}
          onWrite={(name, text) => change(editing.write(entries, name, text))}
          onZone={(zone) => change(editing.writeZone(entries, zone))}
        />
      ) : (
        <Preview question={question} onSay={props.onSay} />
      )}
      {warnings
        .filter(({ code }) => !(conflicts && code === "time_taken"))
        .map(({ code, text }) => (
          <p key={code} class={styles.warning} data-grave={GRAVE.test(code)} role="note">
            <Icon name="warn" size={18} />
            <span>
              <span class="unseen">Warning: </span>
              {text}
            </span>
          </p>
        ))}
      {told && !problem && (
        <p class={styles.note} role="status">
          {told}
        </p>
      )}
      {problem && (
        <p class={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Actions
        question={question}
        isEditing={entries !== null}
        isOff={!can}
        pending={pending}
        onAccept={accept}
        onEdit={edit}
        onReject={(channel) => answer("reject", channel)}
        onBack={back}
        onDiscard={entries && editing?.isChanged(entries) ? () => leave(false) : null}
      />
      <Foot
        before={props.before}
        reason={reason}
        leftMs={leftMs}
        question={question}
        isEditing={entries !== null}
        onKeepOpen={props.onKeepOpen}
      />
    </section>
  );
}

function places(step: { index: number; total: number }, place: { at: number; of: number }): string {
  const queued = place.of > 1 ? `${place.at} of ${place.of} waiting` : "";
  return [queued, step.total > 1 ? `Step ${step.index} of ${step.total}` : ""].filter(Boolean).join(" · ");
}
