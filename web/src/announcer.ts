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

/** Pieces of news that come at the same time, by their line. */
const news = new Map<{ value: string }, string[]>();

/** The same words twice are two pieces of news, and of two that come together neither is lost. */
function say(line: { value: string }, words: string): void {
  const coming = news.get(line);
  if (coming) return void coming.push(words);
  const together = [words];
  news.set(line, together);
  line.value = "";
  queueMicrotask(() => {
    news.delete(line);
    line.value = together.join(" – ");
  });
}
