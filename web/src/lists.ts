/** Lists that tools bring: which kind of things, and how many. How they are told comes later. */
import type { ToolUse } from "./items.ts";

/** An answer names three; the screen shows the rest. */
const NAMED = 3;
const KINDS = ["messages", "events", "slots", "free", "memories", "contacts"] as const;

export type Kind = (typeof KINDS)[number];
export type One = Record<string, unknown>;

/** The first kind of thing in it that we know how to tell; nothing otherwise. */
export function listOf({ output }: ToolUse): { kind: Kind; ones: One[] } | null {
  const lists = (output ?? {}) as Record<Kind, One[]>;
  const kind = KINDS.find((name) => Array.isArray(lists[name]));
  return kind ? { kind, ones: lists[kind] } : null;
}

/** It is a list, and longer than an answer tells; nothing where it is no list. */
export function hasMore(tool: ToolUse): boolean | null {
  const list = listOf(tool);
  return list && list.ones.length > NAMED;
}
