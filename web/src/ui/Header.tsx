/** The title of the chat, how the connection is, and the ways to everything else. */
import type { LinkState } from "../../sdk/index.ts";
import { IconButton } from "./Button.tsx";
import { Mark } from "./Icon.tsx";
import styles from "./Shell.module.css";

const LINK_WORDS: Record<LinkState, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  offline: "Offline",
  locked: "Signed out",
  outdated: "New version",
};

type Props = {
  title: string;
  link: LinkState;
  roundTripMs: number;
  firstAudioMs: number;
  isRailOpen: boolean;
  hasInspector: boolean;
  /** A card waits in another chat. */
  isWaiting: boolean;
  onRail(): void;
  onSettings(): void;
  onInspector(): void;
};

export function Header(props: Props) {
  const { title, link, roundTripMs, firstAudioMs } = props;
  // Where the chats are listed, the list itself says which.
  const isWaiting = props.isWaiting && !props.isRailOpen;
  // Numbers are for those who look under the hood.
  const latency = firstAudioMs ? ` · first sound after ${firstAudioMs} ms` : ` · ${roundTripMs} ms there and back`;
  return (
    <header class={styles.header}>
      <IconButton
        icon="menu"
        label={`${props.isRailOpen ? "Hide" : "Show"} chats${isWaiting ? ", one waits for you" : ""}`}
        data-waits={isWaiting}
        class={styles.railButton}
        aria-expanded={props.isRailOpen}
        onClick={props.onRail}
      />
      <h1 class={styles.brand}>
        {!props.isRailOpen && <Mark size={22} />}
        <span class={styles.title}>{title || "Sayso"}</span>
      </h1>
      <p class={styles.link} data-link={link}>
        <i aria-hidden="true" />
        <span class={styles.linkWords}>
          {LINK_WORDS[link]}
          {link === "live" && props.hasInspector && latency}
        </span>
      </p>
      {props.hasInspector && <IconButton icon="info" label="Inspector" onClick={props.onInspector} />}
      <IconButton icon="settings" label="Settings" onClick={props.onSettings} />
    </header>
  );
}
