/** A part of the page with its heading. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import styles from "./Section.module.css";

type Props = { title: string; note?: string; aside?: ComponentChildren; children: ComponentChildren };

export function Section({ title, note, aside, children }: Props) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  const place = useRef<HTMLElement>(null);
  // Who came for one part of the page gets there once it is drawn.
  useEffect(() => {
    if (location.hash === `#${id}`) place.current?.scrollIntoView();
  }, [id]);
  return (
    <section class={styles.section} ref={place} aria-labelledby={id}>
      <div class={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {note && <p>{note}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A table that scrolls by itself where the screen is narrow. */
export function Table({ label, isLong, children }: { label: string; isLong?: boolean; children: ComponentChildren }) {
  return (
    <div class={styles.scroll} data-long={isLong} role="group" aria-label={label} tabIndex={0}>
      <table class={styles.table}>{children}</table>
    </div>
  );
}
