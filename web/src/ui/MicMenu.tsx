/** Which microphone, which speaker, and who decides that somebody is done. */
import type { ReadonlySignal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Device, devices, type MicState, type TurnStyle } from "../../sdk/index.ts";
import { Button } from "./Button.tsx";
import styles from "./Composer.module.css";
import parts from "./parts.module.css";
import { useDismiss } from "./useDismiss.ts";

export type MicMenuProps = {
  state: MicState;
  style: TurnStyle;
  level: ReadonlySignal<number>;
  micId: string;
  speakerId: string;
  onStyle(style: TurnStyle): void;
  onMic(id: string): void;
  onSpeaker(id: string): void;
  onTest(): void;
  onOff(): void;
  onClose(): void;
};

const STYLES: { style: TurnStyle; label: string; hint: string }[] = [
  { style: "auto", label: "Auto", hint: "Just talk. A pause ends what you say." },
  { style: "hold", label: "Hold", hint: "Hold the button or Space while you talk. Slide up to keep it open." },
  { style: "tap", label: "Tap", hint: "Tap to begin, tap again when you are done." },
];

export function MicMenu(props: MicMenuProps) {
  const box = useRef<HTMLDivElement>(null);
  useDismiss(box, props.onClose);
  const isOn = props.state === "open" || props.state === "hearing" || props.state === "muted";
  const step = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = [...(event.currentTarget.parentElement?.children ?? [])] as HTMLElement[];
    const next = by && all.at((all.indexOf(event.currentTarget) + by) % all.length);
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.click();
  };
  return (
    <div ref={box} class={styles.menu} role="dialog" aria-label="Microphone settings">
      <h3 id="turn-style">When I’m done talking</h3>
      <div class={styles.modes} role="radiogroup" aria-labelledby="turn-style">
        {STYLES.map(({ style, label }) => (
          <button
            key={style}
            type="button"
            role="radio"
            aria-checked={props.style === style}
            tabIndex={props.style === style ? 0 : -1}
            onClick={() => props.onStyle(style)}
            onKeyDown={step}
          >
            {label}
          </button>
        ))}
      </div>
      <p class={styles.hint}>{STYLES.find(({ style }) => style === props.style)?.hint}</p>
      <h3>Microphone</h3>
      <Picker kind="audioinput" label="Microphone" value={props.micId} onPick={props.onMic} />
      {isOn && <Meter level={props.level} />}
      <h3>Speaker</h3>
      <Picker kind="audiooutput" label="Speaker" value={props.speakerId} onPick={props.onSpeaker} />
      <div class={styles.tray}>
        <Button isSmall onClick={props.onTest}>
          Test speaker
        </Button>
        {isOn && (
          <Button isSmall onClick={props.onOff}>
            Turn microphone off
          </Button>
        )}
      </div>
    </div>
  );
}

function Picker({
  kind,
  label,
  value,
  onPick,
}: {
  kind: "audioinput" | "audiooutput";
  label: string;
  value: string;
  onPick(id: string): void;
}) {
  const [found, setFound] = useState<Device[]>([]);
  useEffect(() => {
    const look = () => void devices(kind).then(setFound);
    look();
    navigator.mediaDevices?.addEventListener("devicechange", look);
    return () => navigator.mediaDevices?.removeEventListener("devicechange", look);
  }, [kind]);
  return (
    <select
      class={parts.field}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    >
      <option value="">System default</option>
      {found.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

const LIGHTS = Array.from({ length: 16 }, (_, at) => at);

function Meter({ level }: { level: ReadonlySignal<number> }) {
  const lit = Math.round(Math.min(1, level.value * 2.5) * LIGHTS.length);
  return (
    <p class={styles.hint}>
      <span class={styles.meter} role="img" aria-label="How loud you are">
        {LIGHTS.map((at) => (
          <i key={at} data-lit={at < lit} />
        ))}
      </span>
    </p>
  );
}
