/** The page: rail, chat, and what opens beside them. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { assertive, polite } from "../announcer.ts";
import { isWanted, toggleInspector } from "../inspector/hook.ts";
import { isMemoryPaused } from "../items.ts";
import { forgetPreferences, prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { Chat } from "./Chat.tsx";
import { DropZone } from "./Composer.tsx";
import { Header } from "./Header.tsx";
import { usePace, useProfile } from "./known.ts";
import { LinkBanner, StandIn } from "./LinkBanner.tsx";
import { MemorySheet } from "./MemorySheet.tsx";
import { SessionRail } from "./SessionRail.tsx";
import { SettingsSheet } from "./SettingsSheet.tsx";
import styles from "./Shell.module.css";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { SignIn } from "./SignIn.tsx";
import { useKeys } from "./useKeys.ts";

type Beside = "none" | "settings" | "memory" | "keys";

const NARROW = matchMedia("(width < 64rem)");

export function App({ session }: { session: Session }) {
  const [beside, setBeside] = useState<Beside>("none");
  const [isRail, setRail] = useState(!NARROW.matches && prefs.value.isRailOpen);
  const [toEnd, setToEnd] = useState(0);
  const isInspected = useMemo(() => isWanted(), []);
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
  useKeys(session, {
    isRail,
    rail,
    open,
    isNarrow: () => NARROW.matches,
    help: () => setBeside("keys"),
    end: () => setToEnd((count) => count + 1),
  });
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
          hasInspector={isInspected}
          onRail={() => rail(!isRail)}
          onSettings={() => setBeside("settings")}
          onInspector={toggleInspector}
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
      {beside === "keys" && (
        <ShortcutSheet changed={prefs.value.keys} onChange={(keys) => prefer({ keys })} onClose={close} />
      )}
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
