/** A card in one line, for the dock, the receipt and the screen reader. */
import type { EventPreview, Question, Recipient } from "../sdk/index.ts";
import { readZoned, spelledOut } from "./zoned.ts";

/** "Priya Nair and 2 more". */
export function called(people: readonly Recipient[]): string {
  const [first, ...more] = people.map(({ name, address }) => name || address);
  if (!first) return "nobody";
  return more.length ? `${first} and ${more.length} more` : first;
}

/** The question in a few words: "Send to Priya Nair?" */
export function shortQuestion({ preview, title }: Question): string {
  switch (preview.kind) {
    case "email":
      return `Send to ${called(preview.to)}?`;
    case "event":
      return `${eventVerb(preview)} “${preview.title}”?`;
    case "memory":
      return `${preview.forgets ? "Forget" : "Remember"} “${preview.text}”?`;
    case "lines":
      return title;
  }
}

function eventVerb({ change }: EventPreview): string {
  if (!change) return "Create";
  return change.moved_from ? "Move" : "Cancel";
}

/** What it is about. */
export function gist({ preview }: Question): string {
  switch (preview.kind) {
    case "email":
      return [`To ${called(preview.to)}`, preview.subject].filter(Boolean).join(" · ");
    case "event": {
      const [from, to] = [readZoned(preview.start), readZoned(preview.end)];
      if (!from || !to) return preview.title;
      const { shortDay, times } = spelledOut(from, to);
      // When comes first: a long title must not push it out of sight.
      return `${shortDay}, ${times} · ${preview.title}`;
    }
    case "memory":
      return preview.text;
    case "lines":
      return preview.lines.map(({ value }) => value).join(" · ");
  }
}
