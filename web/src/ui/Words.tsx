/** The box of one chat: what was being written in it, its files, its microphone. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { keysFor } from "../keys.ts";
import { prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { shelf } from "../shelf.ts";
import { Composer } from "./Composer.tsx";
import { MicButton } from "./MicButton.tsx";

const DRAFT_KEPT_AFTER_MS = 400;

export function Words({ session, canHear, onSay }: { session: Session; canHear: boolean; onSay(words: string): void }) {
  const thread = session.threadId.value;
  const [draft, setDraft] = useState({ key: "", text: "" });
  useEffect(() => {
    void shelf.draft(thread || "new").then((text) => setDraft({ key: `of ${thread}`, text }));
  }, [thread, session]);
  const taken = session.takenBack.value;
  useEffect(() => {
    if (taken.key) setDraft({ key: `taken ${taken.key}`, text: taken.text });
  }, [taken]);
  const later = useMemo(() => ({ id: undefined as ReturnType<typeof setTimeout> | undefined, keep: () => {} }), []);
  const keep = (text: string) => {
    clearTimeout(later.id);
    later.keep = () => {
      later.keep = () => {};
      void shelf.keepDraft(thread || "new", text);
    };
    later.id = setTimeout(() => later.keep(), DRAFT_KEPT_AFTER_MS);
  };
  useEffect(() => {
    const leaves = () => later.keep();
    addEventListener("pagehide", leaves);
    return () => removeEventListener("pagehide", leaves);
  }, [later]);
  const { turnStyle, micId, speakerId } = prefs.value;
  const isAsked = session.cards.value.length > 0;
  return (
    <Composer
      placeholder={isAsked ? "Answer, or change it" : "Message Sayso"}
      draft={draft}
      files={session.tray.files.value}
      slowDownUntil={session.slowDownUntil.value}
      onSend={onSay}
      onDraft={keep}
      onFiles={(files) => session.tray.add(files)}
      onDropFile={(key) => session.tray.drop(key)}
      onDescribeFile={(key, words) => session.tray.describe(key, words)}
      mic={
        canHear && (
          <MicButton
            state={session.mic.value.state}
            style={turnStyle}
            level={session.micLevel}
            isHeld={session.isHeld.value}
            micId={micId}
            speakerId={speakerId}
            onTalk={() => void session.talk()}
            onMute={(isMuted) => session.mute(isMuted)}
            onHold={(isHeld) => session.hold(isHeld)}
            onStyle={(style) => prefer({ turnStyle: style })}
            onMic={(id) => {
              prefer({ micId: id });
              void session.changeMic();
            }}
            onSpeaker={(id) => {
              prefer({ speakerId: id });
              void session.sayso.speaker.sendTo(id);
            }}
            onTest={() => session.testSpeaker()}
            onOff={() => session.hush()}
          />
        )
      }
      hint={
        <>
          <span>
            <kbd>Enter</kbd> sends
          </span>
          <span>
            <kbd>Esc</kbd> stops
          </span>
          {isAsked && (
            <span>
              {keysFor("card").map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}{" "}
              goes to the card
            </span>
          )}
          <span>
            <kbd>?</kbd> all keys
          </span>
        </>
      }
    />
  );
}
