/** A card that waits and is out of sight: one line above the box that leads back to it. */
import { useEffect, useState } from "preact/hooks";
import { shortQuestion } from "../gist.ts";
import type { CardItem } from "../items.ts";
import { CARD_ICONS } from "./ConfirmCard.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./Shell.module.css";

/** So much of its buttons has to be in sight: whoever sees no way to answer does not see that they are asked. */
const SEEN_SHARE = 0.9;
/** So little of a card is enough to stand in the way of something. */
const COVERED_SHARE = 0.01;
/** How often it is looked whether it is wanted: it takes room, and nothing moves under a finger that presses just now. */
const LOOKS_MS = 400;

export function ConfirmDock({ cards }: { cards: readonly CardItem[] }) {
  const away = useAway(cards);
  if (!away) return null;
  return (
    <button type="button" class={styles.dock} onClick={() => goToCard(away.id)} data-dock>
      <Icon name={CARD_ICONS[away.question.preview.kind] ?? "lines"} />
      <span class={styles.dockWords}>{shortQuestion(away.question)}</span>
      <span>Review</span>
    </button>
  );
}

export function goToCard(id: string): void {
  goTo(document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`));
}

/** What does not fit is shown from its beginning; whoever has that before them is led on to its end. */
export function goTo(card: HTMLElement | null | undefined): void {
  const box = card?.closest("[data-scroller]")?.getBoundingClientRect();
  if (!card || !box) return;
  const { top, height } = card.getBoundingClientRect();
  const isRead = top >= box.top && top < box.top + box.height / 2;
  card.scrollIntoView({ block: height <= box.height ? "nearest" : isRead ? "end" : "start" });
  card.focus({ preventScroll: true });
}

function useAway(cards: readonly CardItem[]): CardItem | undefined {
  const seen = useSeen(cards, "[data-actions]", "", SEEN_SHARE);
  const away = cards.find(({ id }) => !seen.has(id));
  const [shown, setShown] = useState("");
  const id = away?.id ?? "";
  useEffect(() => {
    // Whoever changes a card knows where it is.
    const look = () => setShown(document.querySelector("[data-card] [data-field]") ? "" : id);
    const timer = setInterval(look, LOOKS_MS);
    return () => clearInterval(timer);
  }, [id]);
  return id === shown ? away : undefined;
}

/** A card stands where a button over the end of the list would cover it. */
export function useCovered(cards: readonly CardItem[]): boolean {
  return useSeen(cards, "[data-card]", "-70% 0px 0px", COVERED_SHARE).size > 0;
}

/** Those of which such a share of a part is in sight. */
function useSeen(cards: readonly CardItem[], part: string, rootMargin: string, least: number): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const ids = cards.map(({ id }) => id).join(" ");
  useEffect(() => {
    const visible = new Set<string>();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio } of entries) {
          const id = target.closest<HTMLElement>("[data-card]")?.dataset.card ?? "";
          if (intersectionRatio >= least) visible.add(id);
          else visible.delete(id);
        }
        setSeen(new Set(visible));
      },
      { root: document.querySelector("[data-scroller]"), rootMargin, threshold: [0, least] },
    );
    for (const one of document.querySelectorAll(part)) watch.observe(one);
    return () => watch.disconnect();
  }, [ids]);
  return seen;
}
