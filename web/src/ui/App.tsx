/** The page: rail, chat, and what opens beside them. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { assertive, polite } from "../announcer.ts";
import type { Pace, Profile } from "../house.ts";
import { toggleInspector } from "../inspector/hook.ts";
import { isMemoryPaused, messageOf } from "../items.ts";
import { listenForKeys } from "../keys.ts";
import { forgetPreferences, prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { Chat } from "./Chat.tsx";
import { DropZone } from "./Composer.tsx";
import { goToCard } from "./ConfirmDock.tsx";
import { copyText } from "./copy.ts";
import { Header } from "./Header.tsx";
import { LinkBanner, StandIn } from "./LinkBanner.tsx";
import { MemorySheet } from "./MemorySheet.tsx";
import { SessionRail } from "./SessionRail.tsx";
import { SettingsSheet } from "./SettingsSheet.tsx";
import styles from "./Shell.module.css";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { SignIn } from "./SignIn.tsx";

type Beside = "none" | "settings" | "memory" | "keys";

const NARROW = matchMedia("(width < 64rem)");
const STYLES = ["auto", "hold", "tap"] as const;

export function App({ session }: { session: Session }) {
  const [beside, setBeside] = useState<Beside>("none");
  const [isRail, setRail] = useState(!NARROW.matches && prefs.value.isRailOpen);
  const [toEnd, setToEnd] = useState(0);
  const { profile, saveProfile } = useProfile(session);
  const { pace, setPace } = usePace(session, beside === "settings");
  useEffect(() => {
    const moved = () => setRail(!NARROW.matches && prefs.value.isRailOpen);
    NARROW.addEventListener("change", moved);
    return () => NARROW.removeEventListener("change", moved);
  }, []);
  const rail = (isOpen: boolean) => {
    setRail(isOpen);
    if (!NARROW.matches) prefer({ isRailOpen: isOpen });
  };
  const open = (thread: Parameters<Session["open"]>[0]) => {
    if (NARROW.matches) setRail(false);
    void session.open(thread);
    document.getElementById("words")?.focus();
  };
  useKeys(session, { isRail, rail, open, setBeside, end: () => setToEnd((count) => count + 1) });
  usePreferences(session);
  const capabilities = session.conversation.value.capabilities;
  const isEmpty = session.conversation.value.items.length === 0;
  const first =
    profile && !prefs.value.isGreeted && isEmpty
      ? {
          profile,
          checks: checksOf(capabilities?.hears ?? false),
          onSave: saveProfile,
          onSkip: () => prefer({ isGreeted: true }),
        }
      : null;
  const close = () => setBeside("none");
  return (
    <div class={styles.shell}>
      <a class={styles.skip} href="#words">
        Skip to the message box
      </a>
      {isRail && (
        <SessionRail
          house={session.house}
          current={session.threadId.value}
          beat={
            Number(session.isLive.value) +
            session.conversation.value.items.filter(({ kind }) => kind === "message").length
          }
          onOpen={open}
          onRenamed={(thread, title) => {
            if (thread === session.threadId.value) session.title.value = title;
          }}
          onMemory={() => setBeside("memory")}
          onSettings={() => setBeside("settings")}
          onKeys={() => setBeside("keys")}
          onTell={(words) => session.tell(words)}
          onClose={() => rail(false)}
        />
      )}
      <main class={styles.main}>
        <Header
          title={session.title.value}
          link={session.link.value}
          roundTripMs={session.roundTripMs.value}
          firstAudioMs={session.firstAudioMs.value}
          isRailOpen={isRail}
          hasInspector={false}
          onRail={() => rail(!isRail)}
          onSettings={() => setBeside("settings")}
          onInspector={() => undefined}
        />
        <div>
          <LinkBanner
            link={session.link.value}
            refusal={session.sayso.link.refusal}
            onRetry={() => session.sayso.link.retryNow()}
          />
          <StandIn
            words={session.standIn.value}
            onRead={() => {
              session.standIn.value = "";
            }}
          />
        </div>
        <Chat session={session} toEnd={toEnd} first={first} name={profile?.name?.split(" ")[0] ?? ""} />
      </main>
      <DropZone onFiles={(files) => session.tray.add(files)} />
      {beside === "settings" && (
        <SettingsSheet
          prefs={prefs.value}
          canHear={capabilities?.hears ?? false}
          canSpeak={capabilities?.speaks ?? false}
          hasKey={session.sayso.door.hasKey}
          pace={pace}
          onPace={setPace}
          onPrefer={prefer}
          onSignOut={() => {
            close();
            forgetPreferences();
            void session.signOut();
          }}
          onClose={close}
        />
      )}
      {beside === "memory" && (
        <MemorySheet
          house={session.house}
          isPaused={isMemoryPaused(session.conversation.value)}
          onSay={(words) => session.say(words)}
          onSource={(id) => {
            close();
            void session.openSession(id);
          }}
          onClose={close}
        />
      )}
      {beside === "keys" && <ShortcutSheet onClose={close} />}
      {session.link.value === "locked" && (
        <SignIn why={session.sayso.link.refusal} onKey={(key) => session.signIn(key)} />
      )}
      <div class="unseen" aria-live="polite">
        {polite}
      </div>
      <div class="unseen" aria-live="assertive">
        {assertive}
      </div>
    </div>
  );
}

function useProfile(session: Session) {
  const [profile, setProfile] = useState<Profile | null>(null);
  const isLive = session.isLive.value;
  useEffect(() => {
    if (isLive) session.house.profile().then(setProfile, () => undefined);
  }, [isLive, session]);
  const saveProfile = async (name: string, time_zone: string): Promise<string> => {
    try {
      setProfile(await session.house.saveProfile({ ...(profile as Profile), name: name || null, time_zone }));
      prefer({ isGreeted: true });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "It could not be saved.";
    }
  };
  return { profile, saveProfile };
}

/** Asked for anew whenever somebody looks: "speak slower" changes it, too. */
function usePace(session: Session, isLookedAt: boolean) {
  const [pace, setPace] = useState<Pace | null>(null);
  useEffect(() => {
    if (isLookedAt) session.house.voice().then(setPace, () => setPace(null));
  }, [isLookedAt, session]);
  const change = (percent: number) =>
    void session.house.setPace(percent).then(setPace, (error: Error) => session.tell(error.message));
  return { pace, setPace: change };
}

function checksOf(hears: boolean): { words: string; isOk: boolean }[] {
  return [
    { words: "Connected", isOk: true },
    { words: isSecureContext ? "Secure page" : "Not a secure page: no microphone", isOk: isSecureContext },
    { words: hears ? "Sayso can hear" : "Sayso has no ears here: type", isOk: hears },
  ];
}

/** What is preferred takes effect at once. */
function usePreferences(session: Session): void {
  const { turnStyle, voice, volume, speakerId } = prefs.value;
  useEffect(() => session.sayso.style(turnStyle), [session, turnStyle]);
  useEffect(() => session.sayso.voice(voice), [session, voice]);
  useEffect(() => {
    session.sayso.speaker.volume = volume;
    session.sayso.speaker.level(1);
  }, [session, volume]);
  useEffect(() => void session.sayso.speaker.sendTo(speakerId), [session, speakerId]);
}

type KeyWays = {
  isRail: boolean;
  rail(isOpen: boolean): void;
  open(thread: null): void;
  setBeside(beside: Beside): void;
  end(): void;
};

function useKeys(session: Session, ways: KeyWays): void {
  const latest = useMemo(() => ({ ways }), []);
  latest.ways = ways;
  useEffect(
    () =>
      listenForKeys({
        stop: (isWriting) => {
          if (NARROW.matches && latest.ways.isRail) latest.ways.rail(false);
          return isWriting && session.isQuiet.value ? false : session.stop("key");
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
          const open = session.cards.value;
          const at = open.findIndex(({ id }) => document.activeElement?.closest(`[data-card="${id}"]`));
          const next = open[(at + 1) % open.length];
          if (next) goToCard(next.id);
        },
        attach: () => document.querySelector<HTMLElement>("[data-attach]")?.click(),
        chats: () => {
          latest.ways.rail(true);
          requestAnimationFrame(() => document.getElementById("chat-search")?.focus());
        },
        newChat: () => latest.ways.open(null),
        inspector: toggleInspector,
        help: () => latest.ways.setBeside("keys"),
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
