/** Beside the chat: what went over the wire, seen in five ways. */
import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { AudioPanel } from "./AudioPanel.tsx";
import styles from "./Drawer.module.css";
import { EventsPanel } from "./EventsPanel.tsx";
import { MetricsPanel } from "./MetricsPanel.tsx";
import { StatePanel } from "./StatePanel.tsx";
import { TurnPanel } from "./TurnPanel.tsx";
import type { Tape } from "./tape.ts";

const TABS = ["Turn", "Events", "Audio", "Metrics", "State"] as const;
type Tab = (typeof TABS)[number];

type Props = { tape: Tape; isOpen: Signal<boolean>; roundTrip: () => number; onClose: () => void };

export function Drawer({ tape, isOpen, roundTrip, onClose }: Props) {
  const [tab, setTab] = useState<Tab>("Turn");
  const tabs = useRef<HTMLDivElement>(null);
  const open = isOpen.value;
  useLayoutEffect(() => {
    if (open) tabs.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }, [open]);
  if (!open) return null;
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? "Turn";
    setTab(next);
    tabs.current?.querySelector<HTMLElement>(`#inspect-${next}`)?.focus();
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside class={styles.drawer} aria-label="Inspector" onKeyDown={leave}>
      <header class={styles.head}>
        <h2>Inspector</h2>
        <button type="button" aria-label="Close the inspector" onClick={onClose}>
          ×
        </button>
      </header>
      <div class={styles.tabs} role="tablist" aria-label="Views" ref={tabs} onKeyDown={move}>
        {TABS.map((name) => (
          <button
            key={name}
            id={`inspect-${name}`}
            type="button"
            role="tab"
            aria-selected={name === tab}
            aria-controls="inspect-panel"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class={styles.panel}
        tabIndex={0}
        id="inspect-panel"
        role="tabpanel"
        aria-labelledby={`inspect-${tab}`}
        data-tab={tab}
      >
        {tab === "Turn" && <TurnPanel tape={tape} />}
        {tab === "Events" && <EventsPanel tape={tape} />}
        {tab === "Audio" && <AudioPanel tape={tape} roundTrip={roundTrip} />}
        {tab === "Metrics" && <MetricsPanel tape={tape} />}
        {tab === "State" && <StatePanel tape={tape} />}
      </div>
    </aside>
  );
}
