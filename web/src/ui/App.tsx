/** The page: rail, chat, and what opens beside them. */

import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { assertive, polite } from "../announcer.ts";
import { isWanted, toggleInspector } from "../inspector/hook.ts";
import { goBack } from "../keys.ts";
import { FOR_A_SCREEN_READER, prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { Chat } from "./Chat.tsx";
import { Header } from "./Header.tsx";
import { useProfile } from "./known.ts";
import { LinkBanner, StandIn } from "./LinkBanner.tsx";
import { SessionRail } from "./SessionRail.tsx";
import styles from "./Shell.module.css";
import { useKeys } from "./useKeys.ts";
import { type Beside, useSheets } from "./useSheets.ts";

const NARROW = matchMedia("(width < 64rem)");

export function App({ session }: { session: Session }) {
  const [beside, setBeside] = useState<Beside>("none");
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  const [isRail, setRail] = useState(!isNarrow && prefs.value.isRailOpen);
  const isRailOver = isRail && isNarrow;
  const [toEnd, setToEnd] = useState(0);
  const isInspected = useMemo(() => isWanted(), []);
  const known = useProfile(session);
  const { profile } = known;
  const isLocked = session.link.value === "locked";
  useEffect(() => {
    const moved = () => {
      setNarrow(NARROW.matches);
      setRail(!NARROW.matches && prefs.value.isRailOpen);
    };
    NARROW.addEventListener("change", moved);
    return () => NARROW.removeEventListener("change", moved);
  }, []);
  const rail = (isOpen: boolean) => {
    setRail(isOpen);
    if (!isNarrow) prefer({ isRailOpen: isOpen });
  };
  const open = (thread: Parameters<Session["open"]>[0]) => {
    if (isNarrow) setRail(false);
    void session.open(thread);
    // Once the list does not cover it any more.
    requestAnimationFrame(goBack);
  };
  useKeys(session, {
    isRailOver,
    rail,
    open,
    help: () => setBeside("keys"),
    end: () => setToEnd((count) => count + 1),
  });
  useFocusIn("#rail", isRailOver);
  usePreferences(session);
  useWaits(session);
  const isFirst =
    profile !== null && !profile.onboarded && !prefs.value.isGreeted && session.conversation.value.items.length === 0;
  const sheets = useSheets(beside !== "none" || isLocked || isFirst, () => {
    setBeside("none");
    session.tell("That part of the page is not on this device yet. It comes with the connection.");
  });
  const first = sheets && profile && isFirst && (
    <sheets.FirstRun
      profile={profile}
      checks={sheets.checksOf(session.capabilities.value?.hears ?? false)}
      onSave={known.saveProfile}
      onSkip={() => prefer({ isGreeted: true })}
      onScreenReader={() => {
        prefer(FOR_A_SCREEN_READER);
        session.tell("Set up for a screen reader: answers are read out, and you hold Space to talk.");
      }}
    />
  );
  return (
    <div class={styles.shell}>
      <a class={styles.skip} href="#words">
        Skip to the message box
      </a>
      {isRail && (
        <SessionRail
          house={session.house}
          current={session.threadId.value}
          beat={`${session.isLive.value} ${session.waits.elsewhere.value} ${session.cards.value.length} ${
            session.conversation.value.items.filter(({ kind }) => kind === "message").length
          }`}
          unsentIn={session.unsentIn.value}
          onOpen={open}
          onRenamed={(thread, title) => {
            if (thread === session.threadId.value) session.title.value = title;
          }}
          onRemoved={(thread) => session.sayso.outbox.drop(thread)}
          onMemory={() => setBeside("memory")}
          onSettings={() => setBeside("settings")}
          onKeys={() => setBeside("keys")}
          onClose={() => rail(false)}
        />
      )}
      <main class={styles.main} inert={isRailOver}>
        <Header
          title={session.title.value}
          link={session.link.value}
          roundTripMs={session.roundTripMs.value}
          firstAudioMs={session.firstAudioMs.value}
          isRailOpen={isRail}
          hasInspector={isInspected}
          isWaiting={session.waits.elsewhere.value > 0}
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
      {sheets && <sheets.DropZone onFiles={(files) => session.tray.add(files)} />}
      {sheets && beside !== "none" && (
        <sheets.BesideChat session={session} beside={beside} known={known} onClose={() => setBeside("none")} />
      )}
      {sheets && <sheets.Told session={session} />}
      {sheets && isLocked && <sheets.SignIn why={session.sayso.link.refusal} onKey={(key) => session.signIn(key)} />}
      <div class="unseen" aria-live="polite">
        {polite}
      </div>
      <div class="unseen" aria-live="assertive">
        {assertive}
      </div>
    </div>
  );
}

/** The keyboard goes into what covers the rest, and back where it was unless it went elsewhere. */
function useFocusIn(selector: string, isOver: boolean): void {
  useLayoutEffect(() => {
    const box = isOver ? document.querySelector(selector) : null;
    if (!box) return;
    const before = document.activeElement;
    box.querySelector<HTMLElement>("button")?.focus();
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [isOver]);
}

/** Whether another chat waits is looked up when somebody may have left one, or comes back. */
function useWaits(session: Session): void {
  const [thread, isLive, cards] = [session.threadId.value, session.isLive.value, session.cards.value.length];
  useEffect(() => {
    const look = () => {
      if (isLive && !document.hidden) void session.waits.look(thread, session.sayso.link.serverNow);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [session, thread, isLive, cards]);
}

/** What is preferred takes effect at once. */
function usePreferences(session: Session): void {
  const { turnStyle, voice, volume, speakerId } = prefs.value;
  useEffect(() => session.style(turnStyle), [session, turnStyle]);
  useEffect(() => session.sayso.voice(voice), [session, voice]);
  useEffect(() => {
    session.sayso.speaker.volume = volume;
    session.sayso.speaker.level(1);
  }, [session, volume]);
  useEffect(() => void session.sayso.speaker.sendTo(speakerId), [session, speakerId]);
}
