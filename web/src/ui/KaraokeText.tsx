/** Text while it is spoken: what was heard, what is being said, what is to come. */
import { useState } from "preact/hooks";
import type { Message } from "../items.ts";
import styles from "./Bubble.module.css";
import { TextButton } from "./Button.tsx";

/** It was cut off before all of it was heard. */
export function hasRest({ text, phase, heardChars }: Message): boolean {
  return phase === "stopped" && heardChars !== null && heardChars < text.trimEnd().length;
}

/** Not where the voice goes on with it, or has gone on to its end. */
export function isBrokenOff(message: Message, spoken: Spoken | null): boolean {
  return message.phase === "stopped" && !spoken && (message.heardChars === null || hasRest(message));
}

export type Spoken = { heardChars: number; mode: "karaoke" | "captions" | "instant" };

export function KaraokeText({ message, spoken }: { message: Message; spoken: Spoken | null }) {
  const { text, phase, heardChars } = message;
  if (spoken && spoken.mode !== "instant") return <Along text={text} spoken={spoken} />;
  if (heardChars !== null && hasRest(message)) return <Cut text={text} at={heardChars} />;
  return (
    <>
      {text}
      {phase === "growing" && <span class={styles.caret} aria-hidden="true" />}
    </>
  );
}

function Along({ text, spoken: { heardChars, mode } }: { text: string; spoken: Spoken }) {
  const [from, to] = mode === "captions" ? sentenceAt(text, heardChars) : wordAt(text, heardChars);
  return (
    <>
      {text.slice(0, from)}
      <span class={styles.now}>{text.slice(from, to)}</span>
      <span class={styles.ahead}>{text.slice(to)}</span>
    </>
  );
}

/** What was never said folds away. */
function Cut({ text, at }: { text: string; at: number }) {
  const [isShown, setShown] = useState(false);
  const [, end] = wordAt(text, at);
  return (
    <>
      {isShown ? text.slice(0, end) : text.slice(0, end).replace(/[\s,;:–]+$/, "")}
      {isShown ? <span class={styles.unspoken}>{text.slice(end)}</span> : "… "}
      {!isShown && (
        <span class={styles.unspoken}>
          not spoken <TextButton onClick={() => setShown(true)}>show</TextButton>
        </span>
      )}
    </>
  );
}

/** The word that is being said. */
export function wordAt(text: string, at: number): [number, number] {
  if (at >= text.length) return [text.length, text.length];
  const from = text.lastIndexOf(" ", at) + 1;
  const next = text.indexOf(" ", from);
  return [from, next < 0 ? text.length : next];
}

export function sentenceAt(text: string, at: number): [number, number] {
  if (at >= text.length) return [text.length, text.length];
  const before = text.slice(0, at);
  const from = Math.max(before.lastIndexOf(". "), before.lastIndexOf("? "), before.lastIndexOf("! ")) + 1;
  const rest = text.slice(at).search(/[.?!](\s|$)/);
  return [from, rest < 0 ? text.length : at + rest + 1];
}
