/** The buttons of a card, and the line below them. */
import type { Choice, Touch } from "../../sdk/index.ts";
import type { CardItem } from "../items.ts";
import { verbsOf } from "../receipt.ts";
import { Button, TextButton } from "./Button.tsx";
import styles from "./Card.module.css";
import { hintOf } from "./hints.ts";

/** What takes something away does not look like what gives something. */
const TAKES_AWAY = /^(Cancel|Delete|Forget|Remove)\b/;
const COUNT_DOWN_MS = 60_000;

type ActionsProps = {
  question: CardItem["question"];
  isEditing: boolean;
  isOff: boolean;
  pending: Choice | null;
  onAccept(channel: Touch): void;
  onEdit(): void;
  onReject(channel: Touch): void;
  onBack(): void;
  /** Where something was changed that would be lost by it. */
  onDiscard: (() => void) | null;
};

export function Actions(props: ActionsProps) {
  const { question, isEditing, isOff, pending, onAccept, onEdit, onReject } = props;
  const verbs = verbsOf(question);
  const channel = ({ detail }: MouseEvent): Touch => (detail ? "click" : "key");
  const isAccepting = pending !== null && pending !== "reject";
  return (
    <div class={styles.actions} data-actions>
      <Button
        looks={TAKES_AWAY.test(verbs.accept) ? "grave" : "primary"}
        isOff={isOff}
        onClick={(event) => onAccept(channel(event))}
      >
        {isAccepting ? verbs.doing : isEditing ? verbs.save : verbs.accept}
      </Button>
      {isEditing ? (
        <>
          <Button isOff={pending !== null} onClick={props.onBack}>
            Back
          </Button>
          {props.onDiscard && (
            <Button looks="quiet" isOff={pending !== null} onClick={props.onDiscard}>
              Discard changes
            </Button>
          )}
        </>
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

/** The card that is to be answered first, in a few words, and the way to it. */
export type Before = { words: string; go(): void };

type FootProps = {
  before: Before | null;
  question: CardItem["question"];
  reason: string;
  leftMs: number;
  isEditing: boolean;
  onKeepOpen(): void;
};

export function Foot({ question, before, reason, leftMs, isEditing, onKeepOpen }: FootProps) {
  const isNear = leftMs > 0 && leftMs <= COUNT_DOWN_MS && !reason;
  const first = before && (
    <>
      First the one above: <TextButton onClick={before.go}>{before.words}</TextButton>
    </>
  );
  return (
    <div class={styles.foot}>
      <span data-hint>{reason || first || (isEditing ? "Nothing happens until you save." : hintOf(question))}</span>
      {isNear && (
        <span>
          Closes in {Math.ceil(leftMs / 1000)} s <TextButton onClick={onKeepOpen}>Keep open</TextButton>
        </span>
      )}
    </div>
  );
}
