/** What people waited for in each turn, as one line of figures a turn. */
import type { Waterfall } from "../watch/waterfall.ts";

export type FigureName = "answer" | "transcript" | "first_word" | "voice" | "tools";

/** In milliseconds; absent where it was never reached. */
export type Figures = Partial<Record<FigureName, number>>;

export const FIGURES: readonly { name: FigureName; label: string; hint: string }[] = [
  { name: "answer", label: "Speech to sound", hint: "From the end of speech, or the words, to the first sound" },
  { name: "transcript", label: "Final transcript", hint: "From the end of speech to its words" },
  { name: "first_word", label: "First word", hint: "From the words to the first word of the answer" },
  { name: "voice", label: "First sound", hint: "From the first word to its sound" },
  { name: "tools", label: "Tools", hint: "All tools of the turn together" },
];

export function figuresOf({ input_mode, spans, marks }: Waterfall): Figures {
  const at = (name: string) => marks.find((mark) => mark.name === name)?.at_us;
  const heard = input_mode === "voice" ? at("end_of_speech") : 0;
  const understood = spans.find(({ kind }) => kind === "understand")?.start_us;
  const tools = spans.filter(({ kind, end_us }) => (kind === "tool" || kind === "write") && end_us !== undefined);
  const all: Record<FigureName, number | undefined> = {
    answer: between(heard, at("first_audio")),
    transcript: input_mode === "voice" ? between(heard, understood) : undefined,
    first_word: between(understood ?? heard, at("first_token")),
    voice: between(at("first_token"), at("first_audio")),
    tools: tools.length
      ? tools.reduce((sum, { start_us, end_us = 0 }) => sum + (end_us - start_us) / 1000, 0)
      : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, ms]) => ms !== undefined));
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined || to < from ? undefined : (to - from) / 1000;
}

/** The value that half of them do not exceed; nothing of nothing. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length / 2) - 1)];
}
