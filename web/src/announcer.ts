/** What a screen reader is told: one polite line, one that must not wait. */
import { signal } from "@preact/signals";

export const polite = signal("");
export const assertive = signal("");

export function announce(words: string): void {
  say(polite, words);
}

export function announceNow(words: string): void {
  say(assertive, words);
}

/** The same words twice are two pieces of news. */
function say(line: { value: string }, words: string): void {
  line.value = "";
  queueMicrotask(() => {
    line.value = words;
  });
}
