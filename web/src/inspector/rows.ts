/** Frames as lines of a list: chosen, searched, and runs of the same put together. */
import type { Frame } from "./tape.ts";

export const FAMILIES = ["turn", "transcript", "assistant", "tool", "confirm", "session", "error"] as const;
export type Family = (typeof FAMILIES)[number];

/** One line: a frame, and how many of the same came right after it. */
export type Row = { frame: Frame; times: number };

export type Choice = { families: ReadonlySet<Family>; search: string };

export function familyOf(type: string): Family {
  if (type.startsWith("turn.") || type === "state.change" || type === "plan.update" || type === "user.interrupt")
    return "turn";
  if (type.startsWith("input_transcript.") || type.startsWith("audio.") || type === "text.input") return "transcript";
  if (type.startsWith("assistant_") || type.startsWith("playback.")) return "assistant";
  if (type.startsWith("tool_call.")) return "tool";
  if (type.startsWith("confirm")) return "confirm";
  if (type === "error" || type === "rate_limit") return "error";
  return "session";
}

/** What comes many times in a row and means little alone. */
const RUNS = new Set([
  "assistant_audio.chunk",
  "assistant_text.delta",
  "input_transcript.delta",
  "playback.progress",
  "audio.chunk",
  "session.pong",
  "session.ping",
]);

/** An empty choice of families is all of them. */
export function rowsOf(frames: readonly Frame[], { families, search }: Choice): Row[] {
  const wanted = search.trim().toLowerCase();
  const rows: Row[] = [];
  for (const frame of frames) {
    if (families.size && !families.has(familyOf(frame.type))) continue;
    if (wanted && !textOf(frame).includes(wanted)) continue;
    const last = rows.at(-1);
    const isRun = last && RUNS.has(frame.type) && last.frame.type === frame.type && last.frame.way === frame.way;
    if (isRun && last.frame.turn === frame.turn) last.times += 1;
    else rows.push({ frame, times: 1 });
  }
  return rows;
}

const texts = new WeakMap<Frame, string>();

function textOf(frame: Frame): string {
  let text = texts.get(frame);
  if (text === undefined) {
    text = JSON.stringify(frame.body).toLowerCase();
    texts.set(frame, text);
  }
  return text;
}

/** In a few words what a frame says. */
export function gistOf({ body }: Frame): string {
  const payload = body.payload as Record<string, unknown>;
  if ("from" in payload && "to" in payload) return `${payload.from} → ${payload.to}`;
  for (const name of [
    "text",
    "tool_name",
    "outcome",
    "code",
    "decision",
    "message",
    "status",
    "input_mode",
    "reason",
    "duration_ms",
  ]) {
    const value = payload[name];
    if (typeof value === "string" && value) return value;
    if (typeof value === "number") return `${value} ms`;
  }
  if ("ok" in payload) return payload.ok ? "ok" : "failed";
  return "";
}

/** What the server said, one event a line, exactly as it came: `sayso replay` reads it. */
export function jsonl(frames: readonly Frame[]): string {
  return frames
    .filter(({ way, body }) => way === "in" && "session_id" in body)
    .map(({ body }) => `${JSON.stringify(body)}\n`)
    .join("");
}

/** Minutes, seconds and thousandths, however many figures the server gave. */
export function clockOf(at: number | string): string {
  return new Date(at).toISOString().slice(14, 23);
}
