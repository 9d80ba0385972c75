/** Taking back what was done: the words that ask for it, and whether it has happened. Pure. */
import type { Question } from "../sdk/index.ts";
import type { CardItem, Item } from "./items.ts";
import { clockWords, dayOf, readZoned } from "./zoned.ts";

/** Words that are small within a sentence. A name, and "I", stay as they are. */
const SMALL =
  /^(?:my|our|your|his|her|its|their|the|an?|this|that|these|those|we|you|he|she|it|they|there|every|all)\b/i;

/** What undoes what, and by which name the two know the same thing. */
const UNDOES: Record<string, { action: string; id: string }> = {
  create_event: { action: "cancel_event", id: "event_id" },
  remember: { action: "forget", id: "memory_id" },
};

/**
 * Words that take it back, where the assistant can; they are asked about like any others. They name it:
 * what was done last is not always what is meant.
 */
export function undoOf({ action_type, preview }: Question, now: number): string {
  if (action_type === "remember" && preview.kind === "memory") {
    const words = preview.text.replace(/[.\s]+$/, "");
    return `Forget that ${words.replace(SMALL, (first) => first.toLowerCase())}`;
  }
  const at = action_type === "create_event" && preview.kind === "event" && readZoned(preview.start);
  if (!at) return "";
  return `Cancel “${preview.title.replace(/[“”"]/g, "")}” on ${dayOf(at, now)} at ${clockWords(at)}`;
}

/** A later card undoes it: it has, and that is certain; or it waits for an answer. */
export function undoing({ question, result }: CardItem, items: readonly Item[]): "" | "asked" | "done" {
  const undoes = Object.hasOwn(UNDOES, question.action_type) ? UNDOES[question.action_type] : undefined;
  const id = undoes && (result?.output as Record<string, unknown> | null | undefined)?.[undoes.id];
  if (!undoes || !id) return "";
  const ones = items.filter(
    (item) =>
      item.kind === "card" && item.question.action_type === undoes.action && item.question.payload[undoes.id] === id,
  ) as CardItem[];
  if (ones.some(({ result }) => result?.state === "confirmed" || result?.state === "reconciled_done")) return "done";
  return ones.some(({ isOpen }) => isOpen) ? "asked" : "";
}
