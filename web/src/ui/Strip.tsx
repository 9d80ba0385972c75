/** What the status line is told, and why there is no sound: signals of the session on one side, words on the other. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { hasKeys } from "../keys.ts";
import { prefs } from "../prefs.ts";
import { verbsOf } from "../receipt.ts";
import type { Session } from "../session.ts";
import { TextButton } from "./Button.tsx";
import { Icon } from "./Icon.tsx";
import styles from "./Status.module.css";
import { StatusStrip } from "./StatusStrip.tsx";
import { statusOf } from "./status.ts";

const OFFER_MUTE_MS = 60_000;

export function Strip({ session }: { session: Session }) {
  const turn = session.telling.value;
  const sinceMs = useSince(`${turn?.id} ${turn?.state}`);
  const loud = useComputed(() => (session.voice.value.message ? session.voice.value.loudest : session.micLevel.value));
  const plan = session.conversation.value.items.findLast((item) => item.kind === "plan" && item.turn === turn?.id);
  const [front] = session.cards.value;
  const progress = plan?.kind === "plan" ? plan.plan.progress : [];
  const quietMs = session.quietMs;
  const status = statusOf({
    turn,
    isWorking: session.working.value !== null,
    refusal: front && !session.answers.pending.value[front.id] ? verbsOf(front.question).reject : "",
    isLive: session.isLive.value,
    mic: session.mic.value.state,
    style: prefs.value.turnStyle,
    isHeld: session.isHeld.value,
    quietMs,
    isChoosing: session.conversation.value.items.at(-1)?.kind === "choices",
    hasKeys: hasKeys(),
    isVoiceOn: session.voice.value.message !== "",
    isStalled: session.isStalled.value,
    wasStopped: session.wasStopped.value,
    sinceMs,
    steps: progress.length
      ? { done: progress.filter(({ status }) => status === "done").length, of: progress.length }
      : null,
  });
  return (
    <>
      <StatusStrip
        status={status}
        loud={loud}
        onStop={(channel) => session.stop(channel)}
        onHush={() => session.stop("click", false)}
      />
      {quietMs > OFFER_MUTE_MS && (
        <div class={styles.trouble} data-tone="calm" role="status" data-quiet>
          <p>Nobody has talked for a minute, and the microphone is on.</p>
          <TextButton onClick={() => session.mute(true)}>Mute it</TextButton>
        </div>
      )}
    </>
  );
}

function useSince(what: string): number {
  const since = useSignal(Date.now());
  const [, look] = useState(0);
  useEffect(() => {
    since.value = Date.now();
    const timer = setInterval(() => look((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [what]);
  return Date.now() - since.value;
}

export function MicTrouble({ session }: { session: Session }) {
  const { trouble } = session.mic.value;
  if (session.isBlocked.value) {
    return (
      <div class={styles.trouble} role="alert">
        <p>Your browser holds the sound back.</p>
        <TextButton onClick={() => void session.sayso.speaker.unlock()}>Tap to hear</TextButton>
      </div>
    );
  }
  if (!trouble) return null;
  return (
    <div class={styles.trouble} role="alert" data-trouble={trouble.kind}>
      <Icon name="warn" size={18} />
      <p>
        {trouble.words}
        {trouble.device ? ` (${trouble.device})` : ""}
      </p>
      {trouble.kind !== "insecure_context" && trouble.kind !== "worklet_failed" && (
        <TextButton onClick={() => void session.tryMicAgain()}>Try again</TextButton>
      )}
    </div>
  );
}
