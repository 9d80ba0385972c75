/** Text while it is spoken: what was heard, what is being said, what is to come. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Message } from "../items.ts";
import styles from "./Bubble.module.css";
import { TextButton } from "./Button.tsx";

/** It was cut off before all of it was heard. */
export function hasRest({ text, phase, heardChars, isLost }: Message): boolean {
  return (
    (phase === "stopped" || (isLost && phase === "settled")) &&
    heardChars !== null &&
    heardChars < text.trimEnd().length
  );
}

/** Not where the voice goes on with it, or has gone on to its end. */
export function isBrokenOff(message: Message, spoken: Spoken | null): boolean {
  return message.phase === "stopped" && !spoken && (message.heardChars === null || hasRest(message));
}

export type Spoken = { heardChars: number; mode: "karaoke" | "captions" | "instant" };

export function KaraokeText({ message, spoken }: { message: Message; spoken: Spoken | null }) {
  const { text, phase, heardChars, lead } = message;
  if (spoken && spoken.mode !== "instant") return <Along text={text} lead={lead} spoken={spoken} />;
  if (heardChars !== null && hasRest(message)) return <Cut message={message} at={heardChars} />;
  return (
    <>
      {led(text, lead, (from, to) => text.slice(from, to))}
      {phase === "growing" && <span class={styles.caret} aria-hidden="true" />}
    </>
  );
}

/** That it was heard stands on a line of its own, above the answer. Not a letter is lost between them. */
function led(text: string, lead: number, draw: (from: number, to: number) => ComponentChildren): ComponentChildren {
  const rest = lead > 0 ? text.slice(lead).search(/\S/) : -1;
  if (rest < 0) return draw(0, text.length);
  return (
    <>
      <span class={styles.lead}>{draw(0, lead + rest)}</span>
      {draw(lead + rest, text.length)}
    </>
  );
}

type AlongProps = { text: string; lead: number; spoken: Spoken };

function Along({ text, lead, spoken: { heardChars, mode } }: AlongProps) {
  const [from, to] = mode === "captions" ? sentenceAt(text, heardChars) : wordAt(text, heardChars);
  return led(text, lead, (start, end) => {
    const within = (at: number) => Math.min(Math.max(at, start), end);
    return (
      <>
        {text.slice(start, within(from))}
        <span class={styles.now}>{text.slice(within(from), within(to))}</span>
        <span class={styles.ahead}>{text.slice(within(to), end)}</span>
      </>
    );
  });
}

/** What was never said folds away, where somebody did not want to hear it. */
function Cut({ message: { text, lead, isLost }, at }: { message: Message; at: number }) {
  const [isShown, setShown] = useState(isLost);
  const [, end] = wordAt(text, at);
  const heard = isShown ? text.slice(0, end) : text.slice(0, end).replace(/[\s,;:.–]+$/, "");
  return (
    <>
      {led(heard, lead, (from, to) => heard.slice(from, to))}
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
