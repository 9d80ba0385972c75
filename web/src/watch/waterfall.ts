/**
 * One turn in slow motion: what was going on when, in microseconds from its beginning.
 * The ops page gets it from the server's record, the inspector makes it from events.
 */
import type { ActionLevel, InputMode } from "../../sdk/wire.gen.ts";
import { count } from "./units.ts";

export type SpanKind = "listen" | "finalize" | "understand" | "tool" | "confirm" | "write" | "speak";

export type Span = {
  kind: SpanKind;
  /** Whose time it is: a tool, or what a person was asked. */
  name: string;
  start_us: number;
  /** Absent while it goes on. */
  end_us?: number;
  state?: string;
  action_level?: ActionLevel;
  error_code?: string;
  channel?: string;
  attempts?: number;
};

export type ModelUse = {
  model: string;
  input_tokens?: number;
  output_tokens?: number;
  /** In millionths of a dollar. */
  cost_micros?: number;
  error_code?: string;
};

export type Mark = { name: string; at_us: number };

export type Waterfall = {
  turn_id: string;
  session_id: string;
  trace_id?: string;
  started_at: string;
  input_mode: InputMode;
  outcome: string;
  error_code?: string;
  execution?: string;
  reason?: string;
  fallback?: string;
  /** Who answered: `reflex` (the rules), `local` or `cloud` (a model). */
  tier?: string;
  tier_reason?: string;
  /** Which models were asked, in order; the record alone knows what they cost. */
  models?: readonly ModelUse[];
  took_us?: number;
  spans: Span[];
  marks: Mark[];
};

/** How far the axis goes: to the end of the turn, or of what is known of it. */
export function lengthOf({ took_us = 0, spans, marks }: Waterfall): number {
  const ends = [...spans.map(({ start_us, end_us }) => end_us ?? start_us), ...marks.map(({ at_us }) => at_us)];
  const known = Math.max(1, took_us, ...ends);
  // What goes on needs room to be seen going on.
  return spans.some(({ end_us }) => end_us === undefined) ? known * 1.2 : known;
}

const MARKS: Record<string, string> = {
  end_of_speech: "End of speech",
  first_event: "First event",
  first_token: "First word",
  first_status: "First status",
  first_audio: "First sound",
  first_played: "First sound heard",
};

export const markName = (name: string): string => MARKS[name] ?? name;

const KINDS: Record<SpanKind, string> = {
  listen: "Listening",
  finalize: "Writing it down",
  understand: "Understanding",
  tool: "",
  confirm: "Waiting for an answer",
  write: "Writing",
  speak: "Speaking",
};

/** What a span is called on its line. */
export function spanName({ kind, name }: Span): string {
  if (kind === "tool") return name;
  if (kind === "confirm" || kind === "write") return `${KINDS[kind]}: ${name}`;
  return KINDS[kind];
}

const TIERS: Record<string, string> = { reflex: "the rules", local: "on this machine", cloud: "in the cloud" };

/** Who answered: the rules, or a model and where it is. */
export function answeredBy({ tier = "", models = [] }: Waterfall): string {
  const where = TIERS[tier] ?? tier;
  if (!tier || tier === "reflex") return where;
  const model = models.findLast(({ error_code }) => !error_code)?.model;
  return model ? `${model}, ${where}` : `a model ${where}`;
}

/** 1 240 tokens in, 80 out, $0.0012; nothing where nobody counted. */
export function spent(models: readonly ModelUse[]): string {
  const sum = (of: (use: ModelUse) => number | undefined) => models.reduce((all, use) => all + (of(use) ?? 0), 0);
  const [taken, given] = [sum(({ input_tokens }) => input_tokens), sum(({ output_tokens }) => output_tokens)];
  const dollars = sum(({ cost_micros }) => cost_micros) / 1_000_000;
  const price = dollars ? `, $${dollars.toPrecision(2)}` : "";
  return taken + given ? `${count(taken)} tokens in, ${count(given)} out${price}` : "";
}
