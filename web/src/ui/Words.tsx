/** The box of one chat: what was being written in it, its files, its microphone. */
import { useLayoutEffect } from "preact/hooks";
import { keysFor } from "../keys.ts";
import { prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { Composer } from "./Composer.tsx";
import { MicButton } from "./MicButton.tsx";

export function Words({ session, canHear, onSay }: { session: Session; canHear: boolean; onSay(words: string): void }) {
  const { drafts } = session;
  useLayoutEffect(() => {
    const leaves = () => drafts.leave();
    addEventListener("pagehide", leaves);
    return () => removeEventListener("pagehide", leaves);
  }, [drafts]);
  const { turnStyle, micId, speakerId } = prefs.value;
  const isAsked = session.cards.value.length > 0;
  const isChoice = session.conversation.value.items.some(({ kind }) => kind === "choices");
  return (
    <Composer
      placeholder={isAsked ? "Answer, or change it" : "Message Sayso"}
      draft={drafts.shown.value}
      files={session.tray.files.value}
      slowDownUntil={session.slowDownUntil.value}
      onSend={onSay}
      onDraft={(text) => drafts.write(text)}
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
            onSpeaker={(id) => prefer({ speakerId: id })}
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
          {(isAsked || isChoice) && (
            <span>
              {keysFor("card").map((cap) => (
                <kbd key={cap}>{cap}</kbd>
              ))}{" "}
              goes to the {isAsked ? "card" : "choice"}
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
