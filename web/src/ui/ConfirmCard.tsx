/**
 * Asks before a write, and shows exactly what will be done. Nothing here accepts by
 * accident: buttons come alive after a moment, one answer goes at a time, and none
 * while nobody is there to take it.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Choice, Touch } from "../../sdk/index.ts";
import type { CardItem } from "../items.ts";
import { verbsOf } from "../receipt.ts";
import { Button, TextButton } from "./Button.tsx";
import styles from "./Card.module.css";
import { ConfirmEdit } from "./ConfirmEdit.tsx";
import { changes, checked, type Entry, entriesOf, rebase, write } from "./editing.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { Preview } from "./Preview.tsx";

const COUNT_DOWN_MS = 60_000;

export type CardProps = {
  card: CardItem;
  isLive: boolean;
  /** It comes alive after this; longer where a card takes the place of one that was just answered. */
  armAfterMs: number;
  pending: Choice | null;
  problem: string;
  leftMs(): number;
  onAnswer(decision: Choice, channel: Touch, edited?: Record<string, unknown>): void;
  onSay(words: string): void;
  onTouch(): void;
  onKeepOpen(): void;
  /** Where it stands among those that wait, from 1. */
  place: { at: number; of: number };
};

export const CARD_ICONS: Record<string, IconName> = { email: "mail", event: "event", memory: "memory", lines: "lines" };

export function ConfirmCard(props: CardProps) {
  const { card, isLive, pending, problem } = props;
  const { question } = card;
  const [entries, setEntries] = useState<Entry[] | null>(null);
  const [note, setNote] = useState("");
  const isArmed = useArming(`${question.revision} ${entries !== null}`, props.armAfterMs);
  const leftMs = useCountDown(props.leftMs);
  const box = useRef<HTMLElement>(null);
  useRebase(card, pending, entries, setEntries, setNote);

  const reason = !isLive ? "Offline. You can answer when the connection is back." : leftMs <= 0 ? "Time is up." : "";
  const can = isArmed && !pending && !reason && props.place.at === 1;
  const answer = (decision: Choice, channel: Touch, edited?: Record<string, unknown>) =>
    can && props.onAnswer(decision, channel, edited);
  const save = (channel: Touch) => {
    if (!entries || !can) return;
    const looked = checked(entries);
    setEntries(looked);
    const wrong = looked.find((entry) => entry.problem);
    if (wrong)
      return box.current?.querySelector<HTMLElement>(`#${CSS.escape(`${card.id}-${wrong.field.name}`)}`)?.focus();
    const edited = changes(looked);
    if (Object.keys(edited).length) answer("edit", channel, edited);
    else answer("accept", channel);
  };
  const back = () => {
    if (pending) return;
    setEntries(null);
    setNote("");
    box.current?.focus({ preventScroll: true });
  };
  const edit = () => can && question.allowed_decisions.includes("edit") && setEntries(entriesOf(question));
  const accept = (channel: Touch) => (entries ? save(channel) : answer("accept", channel));
  const meant = keysOf({
    isEditing: entries !== null,
    accept: () => accept("key"),
    reject: () => answer("reject", "key"),
    edit,
    back,
  });

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
      {entries ? (
        <ConfirmEdit
          id={card.id}
          entries={entries}
          isLocked={pending !== null}
          onWrite={(name, text) => setEntries(write(entries, name, text))}
        />
      ) : (
        <Preview question={question} onSay={props.onSay} />
      )}
      {warnings
        .filter(({ code }) => !(conflicts && code === "time_taken"))
        .map(({ code, text }) => (
          <p key={code} class={styles.warning} role="note">
            <Icon name="warn" size={18} />
            <span>
              <span class="unseen">Warning: </span>
              {text}
            </span>
          </p>
        ))}
      {(problem || note) && (
        <p class={styles.problem} role="alert">
          {problem || note}
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
      />
      <Foot
        reason={reason}
        leftMs={leftMs}
        voice={question.voice}
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

type ActionsProps = {
  question: CardItem["question"];
  isEditing: boolean;
  isOff: boolean;
  pending: Choice | null;
  onAccept(channel: Touch): void;
  onEdit(): void;
  onReject(channel: Touch): void;
  onBack(): void;
};

function Actions({ question, isEditing, isOff, pending, onAccept, onEdit, onReject, onBack }: ActionsProps) {
  const verbs = verbsOf(question);
  const channel = ({ detail }: MouseEvent): Touch => (detail ? "click" : "key");
  const isAccepting = pending !== null && pending !== "reject";
  return (
    <div class={styles.actions}>
      <Button looks="primary" isOff={isOff} onClick={(event) => onAccept(channel(event))}>
        {isAccepting ? verbs.doing : isEditing ? verbs.save : verbs.accept}
      </Button>
      {isEditing ? (
        <Button isOff={pending !== null} onClick={onBack}>
          Back
        </Button>
      ) : (
        <>
          {question.allowed_decisions.includes("edit") && (
            <Button class={styles.edit} isOff={isOff} onClick={onEdit}>
              Edit
            </Button>
          )}
          <Button isOff={isOff} onClick={(event) => onReject(channel(event))}>
            {pending === "reject" ? "Putting it aside…" : verbs.reject}
          </Button>
        </>
      )}
    </div>
  );
}

type FootProps = { reason: string; leftMs: number; voice: string; isEditing: boolean; onKeepOpen(): void };

function Foot({ reason, leftMs, voice, isEditing, onKeepOpen }: FootProps) {
  const isNear = leftMs > 0 && leftMs <= COUNT_DOWN_MS && !reason;
  const hint =
    voice === "readback" ? "Said or typed, a yes has to name who it goes to." : "Or say or type your answer.";
  return (
    <div class={styles.foot}>
      <span>{reason || (isEditing ? "Nothing happens until you save." : hint)}</span>
      {isNear && (
        <span>
          Closes in {Math.ceil(leftMs / 1000)} s <TextButton onClick={onKeepOpen}>Keep open</TextButton>
        </span>
      )}
    </div>
  );
}

/** Nobody means what appeared under their finger just now. */
function useArming(what: string, afterMs: number): boolean {
  const [armed, setArmed] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setArmed(what), afterMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [what, afterMs]);
  return armed === what;
}

function useCountDown(leftMs: () => number): number {
  const [left, setLeft] = useState(leftMs());
  useEffect(() => {
    const timer = setInterval(() => setLeft(leftMs()), 1000);
    return () => clearInterval(timer);
  });
  return left;
}

/** What was changed elsewhere while somebody edits here. */
function useRebase(
  card: CardItem,
  pending: Choice | null,
  entries: Entry[] | null,
  setEntries: (entries: Entry[] | null) => void,
  setNote: (words: string) => void,
): void {
  const seen = useRef({ revision: card.question.revision, wasEdit: false });
  if (pending === "edit") seen.current.wasEdit = true;
  const { revision } = card.question;
  useEffect(() => {
    if (seen.current.revision === revision) return;
    const { wasEdit } = seen.current;
    seen.current = { revision, wasEdit: false };
    if (wasEdit) {
      setEntries(null);
      setNote("Please check it once more: something besides your change is different.");
    } else if (entries) {
      setEntries(rebase(entries, card.question));
      setNote("It was changed elsewhere meanwhile. Check the fields before you go on.");
    } else setNote("");
  }, [revision]);
}

type Meant = { isEditing: boolean; accept(): void; reject(): void; edit(): void; back(): void };

/** Keys of the card, while it has the focus; letters are inert inside its fields. */
function keysOf({ isEditing, accept, reject, edit, back }: Meant) {
  return (event: KeyboardEvent) => {
    if (event.isComposing || event.repeat) return;
    const { key, ctrlKey, metaKey, altKey, code } = event;
    const act = () => {
      if (key === "Enter" && (ctrlKey || metaKey)) return accept;
      if (isEditing) return key === "Escape" ? back : null;
      if (altKey && code === "KeyE") return edit;
      if (altKey && key === "Backspace") return reject;
      if (ctrlKey || metaKey || altKey) return null;
      return { y: accept, n: reject, e: edit }[key.toLowerCase()] ?? null;
    };
    const meant = act();
    if (!meant) return;
    event.preventDefault();
    event.stopPropagation();
    meant();
  };
}
