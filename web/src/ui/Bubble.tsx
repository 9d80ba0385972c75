/** What somebody said: the person on the right in a bubble, Sayso on the page itself. */
import { useEffect, useState } from "preact/hooks";
import { pictureOf } from "../attach.ts";
import { isWanted } from "../inspector/hook.ts";
import type { Answerer, Message } from "../items.ts";
import styles from "./Bubble.module.css";
import { Button, IconButton, TextButton } from "./Button.tsx";
import type { Correction } from "./Correction.tsx";
import { clockTime } from "./clock.ts";
import { copyText } from "./copy.ts";
import { Icon } from "./Icon.tsx";
import { hasRest, isBrokenOff, KaraokeText, type Spoken } from "./KaraokeText.tsx";
import { memo } from "./memo.ts";
import { repeatsOneWord } from "./stutter.ts";

const UNSURE_BELOW = 0.6;

export type UserProps = {
  message: Message;
  /** The first of its minute: when it was is told; of others, to whoever looks. */
  isTimed: boolean;
  isSuperseded: boolean;
  onCorrect: ((message: Message, text: string) => void) | null;
};

export const UserBubble = memo(({ message, isTimed, isSuperseded, onCorrect }: UserProps) => {
  // The box for it comes after the chat, and is here by the time somebody wants it.
  const [Corrected, setCorrected] = useState<typeof Correction | null>(null);
  const isEditing = Corrected !== null;
  const edit = () =>
    void import("./edit.tsx").then(
      ({ Correction }) => setCorrected(() => Correction),
      () => undefined,
    );
  const isDraft = message.phase === "draft";
  const classes = [styles.message, styles.user, isDraft && styles.draft, isSuperseded && styles.superseded];
  return (
    <article
      class={classes.filter(Boolean).join(" ")}
      aria-label={`You, ${clockTime(message.ts)}`}
      aria-busy={isDraft}
      tabIndex={-1}
      data-message={message.id}
    >
      {message.attachments.length > 0 && (
        <ul class={styles.files} aria-label="Attached">
          {message.attachments.map(({ file_id, name, media_type }) => (
            <li key={file_id} class={styles.file}>
              <Attached name={name} isPicture={media_type.startsWith("image/")} src={pictureOf(file_id)} />
            </li>
          ))}
        </ul>
      )}
      {Corrected ? (
        <Corrected
          text={message.text}
          onDone={(text) => {
            setCorrected(null);
            if (text && text !== message.text) onCorrect?.(message, text);
          }}
        />
      ) : (
        <div class={styles.words} dir="auto">
          <Heard message={message} />
        </div>
      )}
      <div class={styles.meta}>
        {!isDraft && onCorrect && !isEditing && (
          <span class={styles.actions}>
            <IconButton class={styles.action} icon="edit" size={15} label="Edit and say again" onClick={edit} />
          </span>
        )}
        {isSuperseded && <span>corrected below</span>}
        {message.mode === "voice" && (
          <span class={styles.voiceMark} title="Spoken">
            <Icon name="mic" size={13} />
            <span class="unseen">spoken</span>
          </span>
        )}
        <Time message={message} isTimed={isTimed} />
      </div>
    </article>
  );
});

function Time({ message: { ts }, isTimed }: { message: Message; isTimed: boolean }) {
  return (
    <time class={isTimed ? "" : styles.later} dateTime={ts}>
      {clockTime(ts)}
    </time>
  );
}

function Attached({ name, isPicture, src }: { name: string; isPicture: boolean; src: string }) {
  if (src) return <img class={styles.picture} src={src} alt={name} title={name} />;
  return (
    <>
      <Icon name={isPicture ? "picture" : "file"} size={14} />
      <span>
        {isPicture && <span class="unseen">Picture: </span>}
        {name}
      </span>
    </>
  );
}

/** Words that will not change any more, and those that may. */
function Heard({ message }: { message: Message }) {
  const { text, phase, stable, mode, confidence, doubted } = message;
  if (phase === "draft") {
    if (repeatsOneWord(text)) return <span class={styles.caret} />;
    return (
      <>
        {text.slice(0, stable)}
        <span class={styles.tail}>{text.slice(stable)}</span>
        <span class={styles.caret} aria-hidden="true" />
      </>
    );
  }
  if (mode !== "voice") return <>{text}</>;
  const all = confidence < UNSURE_BELOW ? [[0, text.length] as const] : [];
  return <Doubted letters={[...text]} places={doubted.length ? doubted : all} />;
}

/** What was hardly made out is marked: the words, where they are known. */
function Doubted({ letters, places }: { letters: string[]; places: Message["doubted"] }) {
  // Words that are sure and words that are not, in turns.
  const ends = [...places.flat(), letters.length];
  return (
    <>
      {ends.map((end, at) => {
        const words = letters.slice(ends[at - 1] ?? 0, end).join("");
        return at % 2 ? (
          <span key={end} class={styles.unsure} title="I am not sure I heard this right">
            {words}
          </span>
        ) : (
          words
        );
      })}
    </>
  );
}

export type AssistantProps = {
  message: Message;
  isTimed: boolean;
  isLast: boolean;
  /** How it is being spoken, if it is. */
  spoken: Spoken | null;
  onReplay: ((id: string, fromChars?: number) => void) | null;
};

export const AssistantBubble = memo(({ message, isTimed, isLast, spoken, onReplay }: AssistantProps) => {
  const isGrowing = message.phase === "growing";
  const classes = [styles.message, styles.assistant, isLast && styles.last, spoken && styles.isSpeaking];
  return (
    <article
      class={classes.filter(Boolean).join(" ")}
      aria-label={`Sayso, ${clockTime(message.ts)}`}
      aria-busy={isGrowing}
      tabIndex={-1}
      data-message={message.id}
    >
      <div class={styles.words} dir="auto">
        {message.text.trim() ? <KaraokeText message={message} spoken={spoken} /> : <span class={styles.shimmer} />}
      </div>
      {onReplay && !spoken && hasRest(message) && (
        <Button isSmall class={styles.rest} onClick={() => onReplay(message.id, message.heardChars ?? 0)}>
          <Icon name="speaker" size={15} /> Play the rest
        </Button>
      )}
      <div class={styles.meta}>
        <Time message={message} isTimed={isTimed} />
        {isBrokenOff(message, spoken) && <span>Stopped</span>}
        {message.by && <By by={message.by} />}
        {!isGrowing && (
          <span class={styles.actions}>
            <CopyButton text={message.text} />
            {onReplay && (
              <IconButton
                class={styles.action}
                icon={spoken ? "stop" : "replay"}
                size={15}
                label={spoken ? "Stop speaking" : "Hear it again"}
                onClick={() => onReplay(message.id)}
              />
            )}
          </span>
        )}
      </div>
    </article>
  );
});

const PLACES = { local: "on this machine", cloud: "in the cloud" };

/** Who answered. That a model had a part in it is always seen; that none had, by whoever looks under the hood. */
function By({ by: { tier, model } }: { by: Answerer }) {
  if (tier === "reflex") return isWanted() ? <span data-by={tier}>by rules</span> : null;
  return (
    <span class={styles.by} data-by={tier} title={`A model ${PLACES[tier]} had a part in this`}>
      <Icon name={tier === "cloud" ? "cloud" : "chip"} size={13} />
      {model || "a model"} <span class="unseen">{PLACES[tier]}</span>
    </span>
  );
}

function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setCopied(await copyText(text));
  return (
    <IconButton
      class={styles.action}
      icon={isCopied ? "check" : "copy"}
      size={15}
      label={isCopied ? "Copied" : "Copy"}
      onClick={copy}
    />
  );
}

export type WaitingProps = {
  text: string;
  note: string;
  problem: string;
  remedy: { label: string; do(): void } | null;
  /** Takes it away unsent, where it is not on its way. */
  onRemove: (() => void) | null;
};

/** Words of ours that the server has not heard yet. */
export const WaitingBubble = memo(({ text, note, problem, remedy, onRemove }: WaitingProps) => (
  <article class={`${styles.message} ${styles.user} ${styles.waiting}`} aria-label="You, not sent yet">
    <div class={styles.words} dir="auto">
      {text}
    </div>
    <div class={styles.meta}>
      {problem ? <span class={styles.problem}>{problem}</span> : <span>{note}</span>}
      {remedy && <TextButton onClick={remedy.do}>{remedy.label}</TextButton>}
      {onRemove && <TextButton onClick={onRemove}>Remove</TextButton>}
    </div>
  </article>
));
