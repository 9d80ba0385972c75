/**
 * One turn in slow motion: what was going on when, in microseconds from its beginning.
 * The ops page gets it from the server's record, the inspector makes it from events.
 */
import type { ActionLevel, InputMode } from "../wire.gen.ts";

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
