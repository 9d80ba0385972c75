/**
 * The thread: stays at its end while somebody is there, and leaves them alone when
 * they read further up. Long threads are drawn from their end, and earlier parts as
 * somebody comes near them, without moving what they read.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./Button.tsx";
import { Guarded } from "./Guarded.tsx";
import styles from "./List.module.css";
import shell from "./Shell.module.css";

const STICKY_PX = 64;
const WINDOW = 200;
/** As many more at a time: few enough for nobody to see a frame missing. */
const MORE = 40;
const TOUCHED_MS = 1000;
/** So near to the first of what is drawn, more is. */
const NEAR_TOP_PX = 1200;
/** So near to the edge it fades, and a little more. */
const FADE_PX = 24;
const HOLDS_ITS_PLACE = CSS.supports("overflow-anchor", "auto");
/** What is pressed for its own sake: what it opens or closes moves the list, and nobody meant to go away. */
const PRESSED = "button, a, summary, input, textarea, select";
/** What opens or closes where it stands. It keeps its place, and what it shows grows below it. */
const OPENS = "summary, [aria-expanded]";
const OPENED_MS = 500;
const SCROLL_KEYS = ["ArrowUp", "PageUp", "Home", " "];

export type Row = { key: string; kind: string; begins: boolean; isNew: boolean; node: ComponentChildren };

type Props = {
  rows: readonly Row[];
  empty: ComponentChildren;
  /** Another one means another chat, shown from its end. */
  chat: string;
  onAway(isAway: boolean): void;
  /** There is more at the server than `rows`. */
  hasMore: boolean;
  onMore(): void;
  /** Counts up to ask for the end. */
  toEnd: number;
};

export function MessageList({ rows, empty, chat, onAway, hasMore, onMore, toEnd }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  /** When somebody last moved it by hand: what grows or shrinks by itself takes nobody away. */
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const openedAt = useRef(Number.NEGATIVE_INFINITY);
  /** So many are not drawn; while somebody is at the end, as many as there can be. */
  const [skipped, setSkipped] = useState(Number.POSITIVE_INFINITY);
  const hidden = Math.min(skipped, Math.max(0, rows.length - WINDOW));
  const isEmpty = useRef(true);
  isEmpty.current = !rows.length;
  /** The card whose beginning was shown last. */
  const card = useRef("");
  useLayoutEffect(() => {
    isAtEnd.current = true;
    // What greets people is read from its beginning.
    if (isEmpty.current) scroller.current?.scrollTo(0, 0);
    else goToEnd(scroller.current);
    onAway(false);
  }, [chat, toEnd, isEmpty.current]);
  useEffect(() => setSkipped(Number.POSITIVE_INFINITY), [chat, toEnd]);
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      tellBar(scroller.current);
      if (isEmpty.current) return;
      if (performance.now() - openedAt.current < OPENED_MS) stand.current(isNearEnd(scroller.current));
      else if (isAtEnd.current && !isWritingIn(scroller.current)) follow.current();
      else if (isNearEnd(scroller.current)) stand.current(true);
    });
    if (list.current) watch.observe(list.current);
    if (scroller.current) watch.observe(scroller.current);
    return () => watch.disconnect();
  }, []);
  const beAtEnd = (isNear: boolean) => {
    if (isNear !== isAtEnd.current) {
      onAway(!isNear);
      // Nothing is taken away above somebody who reads there.
      setSkipped(isNear ? Number.POSITIVE_INFINITY : hidden);
    }
    isAtEnd.current = isNear;
  };
  const stand = useRef(beAtEnd);
  stand.current = beAtEnd;
  const follow = useRef(() => {});
  follow.current = () => {
    const box = scroller.current;
    goToEnd(box);
    const newest = box?.querySelector<HTMLElement>("[data-card]");
    if (!box || !newest || newest.dataset.card === card.current) return;
    card.current = newest.dataset.card ?? "";
    // Nobody is asked to say yes to something whose beginning they have not seen.
    if (newest.getBoundingClientRect().top >= box.getBoundingClientRect().top + FADE_PX) return;
    newest.scrollIntoView({ block: "start" });
    box.scrollTop -= FADE_PX;
    beAtEnd(false);
  };
  const scrolled = () => {
    const box = scroller.current;
    if (!box) return;
    const isNear = isNearEnd(box);
    if (!isNear && performance.now() - touchedAt.current > TOUCHED_MS) return;
    beAtEnd(isNear);
    if (box.scrollTop < NEAR_TOP_PX && !isNear) showMore();
  };
  const clicked = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest(OPENS)) openedAt.current = performance.now();
  };
  const touched = () => {
    touchedAt.current = performance.now();
  };
  const pressed = ({ target }: PointerEvent) => {
    if (target instanceof Element && !target.closest(PRESSED)) touched();
  };
  const keyed = ({ key, target }: KeyboardEvent) => {
    if (SCROLL_KEYS.includes(key) && target instanceof Element && !target.closest(PRESSED)) touched();
  };
  const showMore = () => {
    below.current = scroller.current ? scroller.current.scrollHeight - scroller.current.scrollTop : 0;
    if (hidden > 0) setSkipped(Math.max(0, hidden - MORE));
    else if (hasMore) onMore();
  };
  // Browsers hold what is read in its place by themselves, except at the very top, or where they cannot.
  const below = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box && !isAtEnd.current && (!HOLDS_ITS_PLACE || box.scrollTop === 0))
      box.scrollTop = box.scrollHeight - below.current;
  }, [rows[hidden]?.key]);
  return (
    <div
      ref={scroller}
      class={styles.scroller}
      onScroll={scrolled}
      onWheel={touched}
      onTouchMove={touched}
      onPointerDown={pressed}
      onClick={clicked}
      onKeyDown={keyed}
      tabIndex={0}
      data-scroller
      role="region"
      aria-label="Conversation"
    >
      <div class={shell.column}>
        {!rows.length && empty}
        <div role="log" aria-live="off" aria-label="Messages" hidden={!rows.length}>
          <ol ref={list} class={styles.list}>
            {(hidden > 0 || hasMore) && (
              <li class={styles.more}>
                <Button isSmall onClick={showMore}>
                  Show earlier messages
                </Button>
              </li>
            )}
            {rows.slice(hidden).map(({ key, kind, begins, isNew, node }) => (
              <li key={key} class={styles.item} data-kind={kind} data-begins={begins} data-new={isNew}>
                <Guarded otherwise={<p class={styles.broken}>This could not be shown.</p>}>{node}</Guarded>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

/** Whoever writes in a card keeps what they write before their eyes. */
function isWritingIn(box: HTMLElement | null): boolean {
  const at = document.activeElement;
  return at instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(at.tagName) && (box?.contains(at) ?? false);
}

/** How much room the scrollbar takes on either side. */
function tellBar(box: HTMLElement | null): void {
  if (box) document.documentElement.style.setProperty("--bar", `${(box.offsetWidth - box.clientWidth) / 2}px`);
}

function isNearEnd(box: HTMLElement | null): boolean {
  return !box || box.scrollHeight - box.scrollTop - box.clientHeight <= STICKY_PX;
}

function goToEnd(box: HTMLElement | null): void {
  if (box?.querySelector("[data-kind]")) box.scrollTop = box.scrollHeight;
}
