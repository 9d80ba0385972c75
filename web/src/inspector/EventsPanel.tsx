/** Every frame, newest last. Only those in sight are drawn, however many there are. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import styles from "./EventsPanel.module.css";
import { clockOf, FAMILIES, type Family, gistOf, jsonl, type Row, rowsOf } from "./rows.ts";
import type { Frame, Tape } from "./tape.ts";

const ROW_PX = 28;
const BEYOND = 6;

export function EventsPanel({ tape }: { tape: Tape }) {
  const [families, setFamilies] = useState<ReadonlySet<Family>>(new Set());
  const [search, setSearch] = useState("");
  const [paused, setPaused] = useState<readonly Frame[] | null>(null);
  const [chosen, setChosen] = useState<Frame | null>(null);
  tape.changes.value; // drawn anew with whatever comes
  const rows = rowsOf(paused ?? tape.frames, { families, search });
  const flip = (family: Family) => {
    const next = new Set(families);
    if (!next.delete(family)) next.add(family);
    setFamilies(next);
  };
  return (
    <div class={styles.events}>
      <div class={styles.tools}>
        <input
          type="search"
          placeholder="Search"
          aria-label="Search events"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <button
          type="button"
          aria-pressed={paused !== null}
          onClick={() => setPaused(paused ? null : [...tape.frames])}
        >
          {paused ? "Go on" : "Pause"}
        </button>
        <button type="button" onClick={() => save(jsonl(paused ?? tape.frames))}>
          Export .jsonl
        </button>
        <fieldset class={styles.chips}>
          <legend class="unseen">Families</legend>
          {FAMILIES.map((family) => (
            <button key={family} type="button" aria-pressed={families.has(family)} onClick={() => flip(family)}>
              {family}
            </button>
          ))}
        </fieldset>
      </div>
      <List
        rows={rows}
        chosen={chosen}
        isFollowing={!paused}
        onChoose={(frame) => setChosen(frame === chosen ? null : frame)}
      />
      {chosen && <Detail frame={chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}

type ListProps = { rows: Row[]; chosen: Frame | null; isFollowing: boolean; onChoose: (frame: Frame) => void };

function List({ rows, chosen, isFollowing, onChoose }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const atEnd = useRef(true);
  useEffect(() => {
    if (!box.current) return;
    const watcher = new ResizeObserver(([entry]) => entry && setHeight(entry.contentRect.height));
    watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (box.current && isFollowing && atEnd.current) box.current.scrollTop = rows.length * ROW_PX;
  });
  const scrolled = () => {
    const place = box.current;
    if (!place) return;
    atEnd.current = place.scrollHeight - place.scrollTop - place.clientHeight < ROW_PX * 2;
    setTop(place.scrollTop);
  };
  const from = Math.max(0, Math.floor(top / ROW_PX) - BEYOND);
  const to = Math.min(rows.length, Math.ceil((top + height) / ROW_PX) + BEYOND);
  return (
    <section class={styles.list} ref={box} aria-label={`${rows.length} events`} tabIndex={0} onScroll={scrolled}>
      {rows.length === 0 && <p class={styles.none}>No event fits.</p>}
      <div style={{ height: `${rows.length * ROW_PX}px` }}>
        {rows.slice(from, to).map(({ frame, times }, index) => (
          <button
            key={frame.number}
            type="button"
            class={styles.row}
            style={{ top: `${(from + index) * ROW_PX}px` }}
            aria-pressed={chosen === frame}
            data-error={frame.type === "error"}
            onClick={() => onChoose(frame)}
          >
            <span aria-hidden="true">{frame.way === "in" ? "↓" : "↑"}</span>
            <span class="unseen">{frame.way === "in" ? "received" : "sent"}</span>
            <time>{clockOf(frame.at)}</time>
            <b>
              {frame.type}
              {times > 1 && ` ×${times}`}
            </b>
            <i>{gistOf(frame)}</i>
          </button>
        ))}
      </div>
    </section>
  );
}

function Detail({ frame, onClose }: { frame: Frame; onClose: () => void }) {
  const text = JSON.stringify(frame.body, null, 2);
  return (
    <div class={styles.detail}>
      <div>
        <button type="button" onClick={() => void navigator.clipboard?.writeText(text)}>
          Copy
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}

function save(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  link.download = "sayso-events.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
