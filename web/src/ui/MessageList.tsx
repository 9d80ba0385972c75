/**
 * The thread: stays at its end while somebody is there, and leaves them alone when
 * they read further up. Long threads are drawn from their end, earlier parts on the way.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./Button.tsx";
import styles from "./List.module.css";
import shell from "./Shell.module.css";

const STICKY_PX = 64;
const WINDOW = 200;
const TOUCHED_MS = 1000;

export type Row = { key: string; kind: string; begins: boolean; isNew: boolean; node: ComponentChildren };

type Props = {
  rows: readonly Row[];
  empty: ComponentChildren;
  /** Another one means another chat, shown from its end. */
  chat: string;
  onAway(isAway: boolean): void;
  /** Counts up to ask for the end. */
  toEnd: number;
};

export function MessageList({ rows, empty, chat, onAway, toEnd }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  /** When somebody last moved it by hand: what grows or shrinks by itself takes nobody away. */
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const [shown, setShown] = useState(WINDOW);
  useLayoutEffect(() => {
    isAtEnd.current = true;
    goToEnd(scroller.current);
    onAway(false);
  }, [chat, toEnd]);
  useEffect(() => setShown(WINDOW), [chat]);
  useEffect(() => {
    const follow = new ResizeObserver(() => isAtEnd.current && goToEnd(scroller.current));
    if (list.current) follow.observe(list.current);
    if (scroller.current) follow.observe(scroller.current);
    return () => follow.disconnect();
  }, []);
  const scrolled = () => {
    const box = scroller.current;
    if (!box) return;
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight <= STICKY_PX;
    if (!isNear && performance.now() - touchedAt.current > TOUCHED_MS) return;
    if (isNear !== isAtEnd.current) onAway(!isNear);
    isAtEnd.current = isNear;
  };
  const touched = () => {
    touchedAt.current = performance.now();
  };
  const hidden = Math.max(0, rows.length - shown);
  const showMore = () => {
    const box = scroller.current;
    const below = box ? box.scrollHeight - box.scrollTop : 0;
    setShown(shown + WINDOW);
    requestAnimationFrame(() => {
      if (box) box.scrollTop = box.scrollHeight - below;
    });
  };
  return (
    <div
      ref={scroller}
      class={styles.scroller}
      onScroll={scrolled}
      onWheel={touched}
      onTouchMove={touched}
      onPointerDown={touched}
      onKeyDown={touched}
      tabIndex={0}
      data-scroller
      role="region"
      aria-label="Conversation"
    >
      <div class={shell.column}>
        {!rows.length && empty}
        <div role="log" aria-live="off" aria-label="Messages" hidden={!rows.length}>
          <ol ref={list} class={styles.list}>
            {hidden > 0 && (
              <li class={styles.more}>
                <Button isSmall onClick={showMore}>
                  Show earlier messages
                </Button>
              </li>
            )}
            {rows.slice(hidden).map(({ key, kind, begins, isNew, node }) => (
              <li key={key} class={styles.item} data-kind={kind} data-begins={begins} data-new={isNew}>
                {node}
              </li>
            ))}
          </ol>
        </div>
      </div>
    </div>
  );
}

function goToEnd(box: HTMLElement | null): void {
  if (box) box.scrollTop = box.scrollHeight;
}
