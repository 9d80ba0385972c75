/** Beside the chat: other chats, and the ways to everything else. */
import { useEffect, useState } from "preact/hooks";
import type { House } from "../house.ts";
import { hasKeys, keysFor } from "../keys.ts";
import { Button } from "./Button.tsx";
import { Icon, Mark } from "./Icon.tsx";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";
import type { ThreadList } from "./ThreadList.tsx";

export type RailProps = {
  house: House;
  current: string;
  /** Counts up when the list may have changed. */
  beat: string;
  /** Chats with words that were not sent. */
  unsentIn: ReadonlySet<string>;
  onOpen(thread: { threadId: string; sessionId: string; title: string } | null): void;
  onRenamed(thread: string, title: string): void;
  onRemoved(thread: string): void;
  onMemory(): void;
  onSettings(): void;
  onKeys(): void;
  onClose(): void;
};

export function SessionRail(props: RailProps) {
  const [query, setQuery] = useState("");
  // What is in it has to be looked up anyway.
  const [Threads, setThreads] = useState<typeof ThreadList | null>(null);
  useEffect(() => {
    import("./ThreadList.tsx").then(
      ({ ThreadList }) => setThreads(() => ThreadList),
      () => undefined,
    );
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Esc and the menu button close it too */}
      <div class={styles.railScrim} onClick={props.onClose} />
      <nav class={styles.rail} aria-label="Chats" id="rail">
        <div class={styles.railHead}>
          <span class={styles.railName}>
            <Mark size={22} /> Sayso
          </span>
          <Button isSmall onClick={() => props.onOpen(null)} title={keysFor("newChat").join(" ")}>
            <Icon name="plus" size={16} /> New chat
          </Button>
        </div>
        <div class={styles.railSearch}>
          <label class="unseen" for="chat-search">
            Search chats
          </label>
          <input
            id="chat-search"
            class={parts.field}
            type="search"
            placeholder="Search chats"
            value={query}
            onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          />
        </div>
        <div class={styles.railList}>{Threads && <Threads rail={props} query={query} />}</div>
        <div class={styles.railFoot}>
          <button type="button" onClick={props.onMemory}>
            <Icon name="brain" /> Memory
          </button>
          <button type="button" onClick={props.onSettings}>
            <Icon name="settings" /> Settings
          </button>
          <a href="/ops">
            <Icon name="gauge" /> Operations
          </a>
          {hasKeys() && (
            <button type="button" onClick={props.onKeys}>
              <Icon name="help" /> Keyboard shortcuts
            </button>
          )}
        </div>
      </nav>
    </>
  );
}
