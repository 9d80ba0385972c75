/** The microphone's own axis: what it really does, in its look and in its name. */
import type { ReadonlySignal } from "@preact/signals";
import { useSignalEffect } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import type { MicState, TurnStyle } from "../../sdk/index.ts";
import { keysFor } from "../keys.ts";
import { IconButton } from "./Button.tsx";
import styles from "./Composer.module.css";
import { Icon } from "./Icon.tsx";
import { MicMenu, type MicMenuProps } from "./MicMenu.tsx";

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

export function MicButton(props: MicButtonProps) {
  const { state, style, isHeld, level } = props;
  const [isMenu, setMenu] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLevel(box, level);
  const isOn = state === "open" || state === "hearing" || state === "muted";
  const press = () => {
    if (!isOn) return props.onTalk();
    if (style === "tap") return props.onHold(!isHeld);
    if (style === "auto") props.onMute(state !== "muted");
  };
  const hold = (isDown: boolean) => isOn && style === "hold" && props.onHold(isDown);
  return (
    <div ref={box} class={styles.mic}>
      <button
        type="button"
        class={styles.talk}
        data-state={state}
        data-mic
        aria-label={`${talkWords(state, style, isHeld)}${NAMES[state]}`}
        aria-pressed={isOn && state !== "muted"}
        aria-busy={state === "asking"}
        title={isOn ? `${keysFor("mute").join(" ")} mutes` : "Talk"}
        onClick={press}
        onPointerDown={() => hold(true)}
        onPointerUp={() => hold(false)}
        onPointerLeave={() => isHeld && hold(false)}
      >
        {isOn && state !== "muted" && <span class={styles.live} aria-hidden="true" />}
        <Icon name={state === "muted" ? "micOff" : "mic"} />
        <span class={styles.talkWords}>{talkWords(state, style, isHeld)}</span>
      </button>
      <IconButton
        class={styles.chevron}
        icon="down"
        size={16}
        label="Microphone settings"
        aria-expanded={isMenu}
        onClick={() => setMenu(!isMenu)}
      />
      {isMenu && <MicMenu {...props} onClose={() => setMenu(false)} />}
    </div>
  );
}

function talkWords(state: MicState, style: TurnStyle, isHeld: boolean): string {
  if (state === "muted") return "Unmute";
  if (state !== "open" && state !== "hearing") return "Talk";
  if (style === "hold") return isHeld ? "Listening" : "Hold";
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
