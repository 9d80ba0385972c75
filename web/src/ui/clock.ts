/** Times as people read them. */
import type { Zoned } from "../zoned.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const DAY_MS = 86_400_000;

export function clockTime(at: Date | string): string {
  const when = new Date(at);
  if (Number.isNaN(when.getTime())) return "";
  // "3:04 pm", as cards and sentences have it; nothing changes where clocks have 24 hours.
  return clock.format(when).replace(/\s([AP])M$/, (_, half: string) => ` ${half.toLowerCase()}m`);
}

/** "Today", "Yesterday", "Monday 9 November". */
export function dayWords(at: string, now = Date.now()): string {
  const start = new Date(now).setHours(0, 0, 0, 0);
  const when = Date.parse(at);
  if (when >= start) return "Today";
  if (when >= start - DAY_MS) return "Yesterday";
  if (when >= start - 6 * DAY_MS) return "Earlier this week";
  return when >= start - 30 * DAY_MS ? "This month" : "Older";
}

/** The day that a part of the conversation is from: "Today", "Yesterday", "Monday, November 9". */
export function dayName(at: string, now = Date.now()): string {
  const start = new Date(now).setHours(0, 0, 0, 0);
  return Date.parse(at) < start - DAY_MS ? dateWords(at) : dayWords(at, now);
}

/** "Mon 9", in its own zone. */
export function shortDay({ atMs, local, zone: timeZone }: Zoned): string {
  return `${new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone }).format(atMs)} ${Number(local.slice(8, 10))}`;
}

export function dateWords(at: string): string {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? "" : day.format(when);
}

export function duration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  return ms < 1000 ? `${Math.round(ms)}\u00a0ms` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
