/** What a tool brought, in a few lines people can read: one way of telling for each kind. */
import type { ComponentChild } from "preact";
import type { ToolUse } from "../items.ts";
import { type Kind, listOf, type One } from "../lists.ts";
import { readZoned, shownClock } from "../zoned.ts";
import { shortDay } from "./clock.ts";
import parts from "./parts.module.css";
import styles from "./Tool.module.css";

const SHOWN = 8;

/** What it is known by, and what it is. */
type Line = [string, string];

const TELLERS: Record<Kind, (one: One, isOneDay: boolean) => Line> = {
  messages: (one) => [person(one.from), text(one.subject)],
  events: (one, isOneDay) => [one.all_day ? day(one.start, isOneDay) : time(one.start, isOneDay), text(one.title)],
  slots: (one, isOneDay) => [time(one.start, isOneDay), `to ${time(one.end, true)}`],
  free: (one, isOneDay) => [time(one.start, isOneDay), `to ${time(one.end, true)}`],
  memories: (one) => ["", text(one.text)],
  contacts: (one) => [text(one.name), text(one.address)],
};

function linesOf(tool: ToolUse): Line[] | null {
  const list = listOf(tool);
  const isOneDay = new Set(list?.ones.map(({ start }) => String(start).slice(0, 10))).size < 2;
  return list?.ones.map((one) => TELLERS[list.kind](one, isOneDay)) ?? null;
}

/** Nothing where it is no list. */
export function summary(tool: ToolUse): ComponentChild {
  const lines = linesOf(tool);
  if (!lines) return null;
  if (!lines.length) return <p>Nothing found.</p>;
  // One or two more are shown rather than counted.
  const shown = lines.length > SHOWN + 2 ? SHOWN : lines.length;
  const more = lines.slice(shown);
  return (
    <>
      <List lines={lines.slice(0, shown)} />
      {more.length > 0 && (
        <details class={parts.details}>
          <summary>and {more.length} more</summary>
          <List lines={more} />
        </details>
      )}
    </>
  );
}

function List({ lines }: { lines: readonly Line[] }) {
  return (
    <ul class={styles.lines}>
      {lines.map(([by, what], at) => (
        <li key={at}>
          <b>{by}</b> <span>{what}</span>
        </li>
      ))}
    </ul>
  );
}

function person(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const { name, address } = value as { name?: string; address?: string };
    return name || address || "";
  }
  return text(value);
}

/** Its time alone where all are on one day. */
function time(value: unknown, isOneDay: boolean): string {
  const at = readZoned(value);
  if (!at) return text(value);
  return isOneDay ? shownClock(at) : `${shortDay(at)} ${shownClock(at)}`;
}

function day(value: unknown, isOneDay: boolean): string {
  const at = readZoned(value);
  return isOneDay || !at ? "All day" : shortDay(at);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
