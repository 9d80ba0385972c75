/** A card that waits and is out of sight: one line above the box that leads back to it. */
import { useEffect, useState } from "preact/hooks";
import { shortQuestion } from "../gist.ts";
import type { CardItem } from "../items.ts";
import { CARD_ICONS } from "./ConfirmCard.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./Shell.module.css";

/** So much of a card, or of the window, is enough to call it seen. */
const SEEN_SHARE = 0.4;

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
  const card = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"]`);
  const isTall = (card?.offsetHeight ?? 0) > (card?.closest("[data-scroller]")?.clientHeight ?? 0);
  card?.scrollIntoView({ block: isTall ? "start" : "nearest" });
  card?.focus({ preventScroll: true });
}

function useAway(cards: readonly CardItem[]): CardItem | undefined {
  const seen = useSeen(cards, "", SEEN_SHARE);
  return cards.find(({ id }) => !seen.has(id));
}

/** A card stands where a button over the end of the list would cover it. */
export function useCovered(cards: readonly CardItem[]): boolean {
  return useSeen(cards, "-70% 0px 0px", Number.MIN_VALUE).size > 0;
}

/** Those of which such a share, of them or of the window, is in sight. */
function useSeen(cards: readonly CardItem[], rootMargin: string, least: number): ReadonlySet<string> {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const ids = cards.map(({ id }) => id).join(" ");
  useEffect(() => {
    const visible = new Set<string>();
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { target, intersectionRatio, intersectionRect, rootBounds } of entries) {
          const share = Math.max(
            intersectionRatio,
            intersectionRect.height / (rootBounds?.height || Number.POSITIVE_INFINITY),
          );
          const id = (target as HTMLElement).dataset.card ?? "";
          if (share >= least) visible.add(id);
          else visible.delete(id);
        }
        setSeen(new Set(visible));
      },
      {
        root: document.querySelector("[data-scroller]"),
        rootMargin,
        threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1],
      },
    );
    for (const id of ids.split(" ").filter(Boolean)) {
      const card = document.querySelector(`[data-card="${CSS.escape(id)}"]`);
      if (card) watch.observe(card);
    }
    return () => watch.disconnect();
  }, [ids]);
  return seen;
}
