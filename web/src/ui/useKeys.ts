/** What keys do on the page. */
import { useLayoutEffect, useMemo } from "preact/hooks";
import { toggleInspector } from "../inspector/hook.ts";
import { messageOf } from "../items.ts";
import { listenForKeys } from "../keys.ts";
import { prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { goTo } from "./ConfirmDock.tsx";
import { copyText } from "./copy.ts";

/** Sheets and menus. */
const IN_FRONT = 'dialog[open], [role="dialog"]';
const STYLES = ["auto", "hold", "tap"] as const;

export type KeyWays = {
  /** The list of chats covers the chat. */
  isRailOver: boolean;
  rail(isOpen: boolean): void;
  open(thread: null): void;
  help(): void;
  end(): void;
};

export function useKeys(session: Session, ways: KeyWays): void {
  const latest = useMemo(() => ({ ways }), []);
  latest.ways = ways;
  useLayoutEffect(
    () =>
      listenForKeys({
        stop: (mayAnswer) => {
          // What is in front closes, and that is all.
          if (document.querySelector(IN_FRONT)) return false;
          if (!latest.ways.isRailOver) return session.stop("key", mayAnswer);
          latest.ways.rail(false);
          return true;
        },
        mute: () => (session.sayso.mic.isOpen ? session.mute(!session.sayso.mic.isMuted) : void session.talk()),
        style: () => {
          const at = STYLES.indexOf(prefs.value.turnStyle);
          const turnStyle = STYLES[(at + 1) % STYLES.length] ?? "auto";
          prefer({ turnStyle });
          session.tell(
            {
              auto: "A pause ends what you say.",
              hold: "Hold Space while you talk.",
              tap: "Tap to begin, tap again when done.",
            }[turnStyle],
          );
        },
        replay: () => {
          const last = session.conversation.value.items.findLast(
            (item) => item.kind === "message" && item.role === "assistant",
          );
          if (last?.kind === "message") void session.replay(last.id);
        },
        card: () => {
          const open = [...document.querySelectorAll<HTMLElement>("[data-card], [data-choices]")];
          const at = open.findIndex((one) => one.contains(document.activeElement));
          goTo(open[(at + 1) % open.length]);
        },
        attach: () => document.querySelector<HTMLElement>("[data-attach]")?.click(),
        chats: () => {
          latest.ways.rail(true);
          requestAnimationFrame(() => document.getElementById("chat-search")?.focus());
        },
        newChat: () => latest.ways.open(null),
        inspector: toggleInspector,
        help: () => latest.ways.help(),
        end: () => latest.ways.end(),
        hold: (isDown) => {
          if (prefs.value.turnStyle !== "hold" || !session.sayso.mic.isOpen) return false;
          session.hold(isDown);
          return true;
        },
        step: (by) => stepMessages(by),
        copyMessage: (id) => void copyText(messageOf(session.conversation.value, id)?.text ?? ""),
        replayMessage: (id) => void session.replay(id),
      }),
    [session, latest],
  );
}

/** From message to message. */
function stepMessages(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>("[data-message]")];
  const at = all.findIndex((one) => one.contains(document.activeElement));
  const next = at < 0 ? (by < 0 ? all.at(-1) : all[0]) : all[at + by];
  next?.focus();
}
