/** What a tool brought, in a few lines people can read: one way of telling for each kind. */
import type { ComponentChild } from "preact";
import type { ToolUse } from "../items.ts";
import { readZoned } from "../zoned.ts";
import parts from "./parts.module.css";

const SHOWN = 5;

type Tell = (output: Record<string, unknown>) => ComponentChild;

const TELLERS: Record<string, Tell> = {
  messages: (output) => list(output.messages, (one) => `${person(one.from)} – ${text(one.subject)}`),
  events: (output) => list(output.events, (one) => `${time(one.start)} ${text(one.title)}`),
  slots: (output) => list(output.slots, (one) => `${time(one.start)} – ${time(one.end)}`),
  free: (output) => list(output.free, (one) => `${time(one.start)} – ${time(one.end)}`),
  memories: (output) => list(output.memories, (one) => text(one.text)),
  contacts: (output) => list(output.contacts, (one) => `${text(one.name)} ${text(one.address)}`),
};

/** The first kind of thing in it that we know how to tell; nothing otherwise. */
export function summary({ output }: ToolUse): ComponentChild {
  if (typeof output !== "object" || output === null) return null;
  const kind = Object.keys(TELLERS).find((name) => Array.isArray((output as Record<string, unknown>)[name]));
  return kind ? (TELLERS[kind]?.(output as Record<string, unknown>) ?? null) : null;
}

function list(value: unknown, line: (one: Record<string, unknown>) => string): ComponentChild {
  const ones = (Array.isArray(value) ? value : []) as Record<string, unknown>[];
  if (!ones.length) return <p>Nothing found.</p>;
  const lines = ones.map((one, at) => <li key={at}>{line(one)}</li>);
  const more = lines.slice(SHOWN);
  return (
    <>
      <ul>{lines.slice(0, SHOWN)}</ul>
      {more.length > 0 && (
        <details class={parts.details}>
          <summary>and {more.length} more</summary>
          <ul>{more}</ul>
        </details>
      )}
    </>
  );
}

function person(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    const { name, address } = value as { name?: string; address?: string };
    return name || address || "";
  }
  return text(value);
}

function time(value: unknown): string {
  const at = readZoned(value);
  return at ? at.local.slice(11) : text(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}
