/** The microphone's own axis: what it really does, in its look and in its name. */
import type { ReadonlySignal } from "@preact/signals";
import { useSignalEffect } from "@preact/signals";
import type { TargetedPointerEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { MicState, TurnStyle } from "../../sdk/index.ts";
import { keysFor } from "../keys.ts";
import { IconButton } from "./Button.tsx";
import styles from "./Composer.module.css";
import { Icon } from "./Icon.tsx";
import type { MicMenu, MicMenuProps } from "./MicMenu.tsx";
import { isTaken } from "./status.ts";

export type MicButtonProps = Omit<MicMenuProps, "onClose"> & {
  isHeld: boolean;
  onTalk(): void;
  onMute(isMuted: boolean): void;
  onHold(isHeld: boolean): void;
};

/** What it does, behind what pressing it does. */
const NAMES: Record<MicState, string> = {
  off: "",
  asking: ", asking for the microphone",
  denied: ", microphone blocked",
  "no-device": ", no microphone found",
  muted: ", microphone muted",
  open: ", microphone open",
  hearing: ", microphone open",
};

/** Slid up so far while it is held, it stays open until it is tapped. */
const LOCK_PX = 48;

export function MicButton(props: MicButtonProps) {
  const { state, style, isHeld, level } = props;
  const [Menu, setMenu] = useState<typeof MicMenu | null>(null);
  // It comes after the chat, and is here by the time somebody wants it.
  const bringMenu = () => import("./sheets.tsx").then((sheets) => setMenu(() => sheets.MicMenu));
  const box = useRef<HTMLDivElement>(null);
  useLevel(box, level);
  const isOn = state === "open" || state === "hearing" || state === "muted";
  const held = useHolding(isOn && style === "hold", isHeld, props.onHold);
  const press = () => {
    if (!isOn) return props.onTalk();
    if (style === "tap") return props.onHold(!isHeld);
    if (style === "auto") props.onMute(state !== "muted");
    if (style === "hold") held.tap();
  };
  // What was pressed goes away with it, so the way to turn it on again takes its place.
  const turnOff = () => {
    props.onOff();
    setMenu(null);
    box.current?.querySelector<HTMLElement>("[data-mic]")?.focus();
  };
  const words = talkWords(state, style, isHeld, held.isLocked);
  return (
    <div ref={box} class={styles.mic}>
      <button
        type="button"
        class={styles.talk}
        data-state={state}
        data-mic
        aria-label={`${words}${NAMES[state]}`}
        aria-pressed={isOn && state !== "muted"}
        aria-busy={state === "asking"}
        title={isOn ? `${keysFor("mute").join(" ")} mutes` : "Talk"}
        onClick={press}
        {...held.gestures}
      >
        {isTaken({ mic: state, style, isHeld }) && <span class={styles.live} aria-hidden="true" />}
        <Icon name={state === "muted" ? "micOff" : "mic"} />
        <span class={styles.talkWords}>{words}</span>
      </button>
      <IconButton
        class={styles.chevron}
        icon="down"
        size={16}
        label="Microphone settings"
        aria-expanded={Menu !== null}
        onClick={() => (Menu ? setMenu(null) : void bringMenu().catch(() => undefined))}
      />
      {Menu && <Menu {...props} onOff={turnOff} onClose={() => setMenu(null)} />}
    </div>
  );
}

/** Held while it is down, wherever the finger goes; slid up, it is locked, and a tap ends it. */
function useHolding(isMeant: boolean, isHeld: boolean, onHold: (isHeld: boolean) => void) {
  const [isLocked, setLocked] = useState(false);
  const from = useRef<number | null>(null);
  /** The press that is under way, or was the last, has locked it. */
  const wasLocking = useRef(false);
  const release = () => {
    if (from.current === null) return;
    from.current = null;
    if (!wasLocking.current) onHold(false);
  };
  return {
    isLocked: isLocked && isHeld,
    /** The click that ends the sliding is no tap. */
    tap() {
      if (isLocked && isHeld && !wasLocking.current) {
        setLocked(false);
        onHold(false);
      }
      wasLocking.current = false;
    },
    gestures: {
      onPointerDown({ clientY, pointerId, currentTarget }: TargetedPointerEvent<HTMLElement>) {
        wasLocking.current = false;
        if (!isMeant || (isLocked && isHeld)) return;
        currentTarget.setPointerCapture(pointerId);
        from.current = clientY;
        setLocked(false);
        onHold(true);
      },
      onPointerMove({ clientY }: PointerEvent) {
        if (from.current === null || wasLocking.current || from.current - clientY < LOCK_PX) return;
        wasLocking.current = true;
        setLocked(true);
      },
      onPointerUp: release,
      onPointerCancel: release,
    },
  };
}

function talkWords(state: MicState, style: TurnStyle, isHeld: boolean, isLocked: boolean): string {
  if (state === "muted") return "Unmute";
  if (state !== "open" && state !== "hearing") return "Talk";
  if (style === "hold") return isLocked ? "Done" : isHeld ? "Listening" : "Hold";
  if (style === "tap") return isHeld ? "Done" : "Tap";
  return "Mute";
}

/** Follows the level without drawing anything anew. */
function useLevel(box: { current: HTMLElement | null }, level: ReadonlySignal<number>): void {
  useSignalEffect(() => {
    const share = Math.min(1, level.value * 3);
    if (!document.hidden) box.current?.style.setProperty("--loud", share.toFixed(2));
  });
}
