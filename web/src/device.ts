/**
 * What the device does while somebody talks: the screen stays on, its own buttons stop
 * the voice, and a microphone that nobody looks after is turned off.
 */
import { computed, effect } from "@preact/signals";
import type { Session } from "./session.ts";

/** Out of sight for so long, nobody is talking to this page. */
const AWAY_MS = 30_000;

export function attend(session: Session): void {
  const isTalking = computed(() => ["open", "hearing", "muted"].includes(session.mic.value.state));
  const isSpeaking = computed(() => session.voice.value.message !== "");
  stayAwake(isTalking);
  turnOffWhenAway(session);
  const { mediaSession } = navigator;
  if (!mediaSession) return;
  for (const action of ["pause", "stop"] as const) {
    mediaSession.setActionHandler(action, () => void session.interrupt());
  }
  effect(() => {
    mediaSession.metadata = isSpeaking.value
      ? new MediaMetadata({ title: session.title.value || "Sayso", artist: "Sayso" })
      : null;
    mediaSession.playbackState = isSpeaking.value ? "playing" : "none";
  });
}

function stayAwake(isTalking: { value: boolean }): void {
  let lock: Promise<WakeLockSentinel | null> | null = null;
  const hold = () => {
    if (!isTalking.value || document.hidden || !navigator.wakeLock) return;
    // Batteries and systems may say no.
    lock ??= navigator.wakeLock.request("screen").catch(() => null);
  };
  const release = () => {
    void lock?.then((held) => held?.release());
    lock = null;
  };
  effect(() => (isTalking.value ? hold() : release()));
  document.addEventListener("visibilitychange", () => {
    // The system takes it back from whoever is out of sight.
    if (document.hidden) lock = null;
    else hold();
  });
}

function turnOffWhenAway(session: Session): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasTurnedOff = false;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(() => {
        wasTurnedOff = session.sayso.mic.isOpen;
        session.hush();
      }, AWAY_MS);
    } else if (wasTurnedOff) {
      wasTurnedOff = false;
      session.tell("The microphone was turned off while you were away. Talk turns it on again.");
    }
  });
}
