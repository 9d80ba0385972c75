/** How a card comes alive, runs out, changes under somebody's hands, and listens to keys. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Choice } from "../../sdk/index.ts";
import type { CardItem } from "../items.ts";
import type { Entry } from "./editing.ts";

/** How a card is changed; it comes after the chat itself. */
export type Editing = typeof import("./edit.tsx");

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
  editing: Editing | null,
  entries: Entry[] | null,
  change: (entries: Entry[] | null) => void,
  setNote: (words: string) => void,
): void {
  const seen = useRef<{ revision: number; edited: string[] | null }>({
    revision: card.question.revision,
    edited: null,
  });
  if (pending === "edit" && entries && editing) seen.current.edited = Object.keys(editing.changes(entries));
  const { revision, changed = [] } = card.question;
  useLayoutEffect(() => {
    if (seen.current.revision === revision) return;
    const { edited } = seen.current;
    seen.current = { revision, edited: null };
    if (edited && editing) {
      change(null);
      setNote(editing.secondLook(changed, edited));
    } else if (entries && editing) {
      change(editing.rebase(entries, card.question));
      setNote("It was changed elsewhere meanwhile. Check the fields before you go on.");
    } else setNote("");
  }, [revision]);
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
