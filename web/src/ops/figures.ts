/** What the server tells operators; spelled as in `/openapi.json`. */
import type { ActionLevel, InputMode } from "../../sdk/wire.gen.ts";

export const WINDOWS = ["15m", "1h", "24h", "7d"] as const;
export type Window = (typeof WINDOWS)[number];

export type Spread = { count: number; p50_us: number; p95_us: number; p99_us: number };

export const STAGES = ["first_audio", "first_token", "first_event", "thought", "tools"] as const;
export type Stage = (typeof STAGES)[number];
export const STAGE_NAMES: Record<Stage, string> = {
  first_audio: "First sound",
  first_token: "First word",
  first_event: "First event",
  thought: "Understanding",
  tools: "Tools",
};

export type Latency = Partial<Record<Stage, Spread>>;
export type Point = Latency & { at: string; turns: number };

export type Tool = {
  tool_name: string;
  action_level: ActionLevel;
  calls: number;
  failed: number;
  unknown: number;
  failed_permille?: number;
  took?: Spread;
  retries?: number;
  dedupe_hits: number;
};

export type Confirmations = {
  requested: number;
  accepted: number;
  rejected: number;
  expired: number;
  waiting: number;
  edited: number;
  by_channel: Record<string, number>;
  decision?: Spread;
};

export type SlowTurn = {
  turn_id: string;
  session_id: string;
  started_at: string;
  input_mode: InputMode;
  outcome: string;
  answered_us: number;
  thought_us?: number;
  tool_us?: number;
  took_us?: number;
};

export type Health = {
  version: string;
  started_at: string;
  sessions: number;
  connections: number;
  turns_at_work: number;
  jobs_waiting: number;
  jobs_running: number;
  hears: boolean;
  speaks: boolean;
  writes_paused: boolean;
  tools_off: string[];
  warnings: string[];
};

export type Outcomes = {
  success: number;
  partial: number;
  failed: number;
  unknown: number;
  cancelled: number;
  open: number;
};

export type SinceStart = {
  barge_ins: number;
  utterances: number;
  unheard_turns: number;
  returns: number;
  returns_anew: number;
  speech_failures: number;
  audio_dropped_ms: number;
  clients_cut: number;
  rate_limited: number;
  refused: number;
  malformed_frames: number;
};

export type Overview = {
  window: Window;
  since: string;
  until: string;
  one_in: number;
  began: number;
  turns: Outcomes;
  latency: Latency;
  step_s: number;
  over_time: Point[];
  fallback?: { turns: number; permille: number; by_reason: Record<string, number> };
  drift?: { turns: number; p50_permille: number; p95_permille: number };
  dedupe_hits: number;
  tools: Tool[];
  confirmations?: Confirmations;
  slowest: SlowTurn[];
  since_start: SinceStart;
  health: Health;
};

/** One line of the audit. */
export type AuditLine = {
  number: number;
  at: string;
  user: string;
  what: string;
  tool?: string | null;
  why?: string | null;
  session?: string | null;
  turn?: string | null;
  confirmation?: string | null;
  revision?: number | null;
  action?: string | null;
  seal?: string | null;
  hash: string;
};

export type Checked = {
  whole: boolean;
  lines: number;
  last_hash: string;
  of: number;
  let_go?: number;
  reason?: string;
};

/** How many of the tools' uses that are over failed, in thousandths; nothing while none is over. */
export function toolFailures(tools: readonly Tool[]): number | undefined {
  const over = tools.filter(({ failed_permille }) => failed_permille !== undefined);
  const calls = over.reduce((sum, { calls }) => sum + calls, 0);
  if (!calls) return undefined;
  return Math.round((over.reduce((sum, { failed }) => sum + failed, 0) / calls) * 1000);
}

/** What to look at first: what people wait for most, of what was measured. */
export function firstStage(latency: Latency): Stage {
  return STAGES.find((stage) => latency[stage]) ?? "first_token";
}
