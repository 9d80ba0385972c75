/** How a card comes alive, runs out, changes under somebody's hands, and listens to keys. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Choice } from "../../sdk/index.ts";
import type { CardItem } from "../items.ts";
import { changes, type Entry, isChanged, rebase } from "./editing.ts";

/** A card that comes back after somebody changed it: because of what they changed, or because of more than that. */
export function secondLook(changed: readonly string[], edited: readonly string[]): string {
  return changed.every((name) => edited.includes(name))
    ? "Your change needs a second look. Nothing has happened yet."
    : "Please check it once more: something besides your change is different.";
}

/** Nobody means what appeared under their finger just now. */
export function useArming(what: string, afterMs: number): boolean {
  const [armed, setArmed] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setArmed(what), afterMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [what, afterMs]);
  return armed === what;
}

export function useCountDown(leftMs: () => number): number {
  const [left, setLeft] = useState(leftMs());
  useEffect(() => {
    const timer = setInterval(() => setLeft(leftMs()), 1000);
    return () => clearInterval(timer);
  });
  return left;
}

/** What was changed elsewhere while somebody edits here. */
export function useRebase(
  card: CardItem,
  pending: Choice | null,
  entries: Entry[] | null,
  setEntries: (entries: Entry[] | null) => void,
  setNote: (words: string) => void,
): void {
  const seen = useRef<{ revision: number; edited: string[] | null }>({
    revision: card.question.revision,
    edited: null,
  });
  if (pending === "edit" && entries) seen.current.edited = Object.keys(changes(entries));
  const { revision, changed = [] } = card.question;
  useEffect(() => {
    if (seen.current.revision === revision) return;
    const { edited } = seen.current;
    seen.current = { revision, edited: null };
    if (edited) {
      setEntries(null);
      setNote(secondLook(changed, edited));
    } else if (entries) {
      setEntries(rebase(entries, card.question));
      setNote("It was changed elsewhere meanwhile. Check the fields before you go on.");
    } else setNote("");
  }, [revision]);
}

/** What somebody was changing when they went back to look: it is there again, until the card itself is another one. */
export function useKept(revision: number) {
  const kept = useRef<{ revision: number; entries: Entry[] } | null>(null);
  return {
    keep(entries: Entry[] | null) {
      kept.current = entries && isChanged(entries) ? { revision, entries } : null;
      return kept.current !== null;
    },
    get entries(): Entry[] | null {
      return kept.current?.revision === revision ? kept.current.entries : null;
    },
  };
}

type Meant = { isEditing: boolean; accept(): void; reject(): void; edit(): void; back(): void };

/** Keys of the card, while it has the focus. A letter alone is never an answer: it may be meant for something else. */
export function keysOf({ isEditing, accept, reject, edit, back }: Meant) {
  return (event: KeyboardEvent) => {
    if (event.isComposing || event.repeat) return;
    const { key, ctrlKey, metaKey, altKey, code } = event;
    const act = () => {
      if (key === "Enter" && (ctrlKey || metaKey)) return accept;
      if (isEditing) return key === "Escape" ? back : null;
      if (altKey && code === "KeyE") return edit;
      return altKey && key === "Backspace" ? reject : null;
    };
    const meant = act();
    if (!meant) return;
    event.preventDefault();
    event.stopPropagation();
    meant();
  };
}
