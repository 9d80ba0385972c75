/** Every key there is, and the way to have another one for it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { isWanted } from "../inspector/hook.ts";
import { isMac } from "../keys.ts";
import { type Act, caps, pressedOf, rebind, type Shortcuts, USUAL } from "../shortcuts.ts";
import { TextButton } from "./Button.tsx";
import styles from "./Sheet.module.css";
import { Sheet } from "./Sheet.tsx";

const CTRL = isMac ? "⌘" : "Ctrl";

/** What stays as it is: it means the same everywhere. */
const FIXED: [string, string[][]][] = [
  ["Send, or a new line", [["Enter"], ["Shift", "Enter"]]],
  ["Stop, or close what is open", [["Esc"]]],
  ["Talk while held, outside text fields", [["Space"]]],
  ["In a message: copy it, hear it again", [["C"], ["R"]]],
  ["In a card: yes, also while editing", [[CTRL, "Enter"]]],
  ["In a card: edit", [caps("Alt+KeyE", isMac)]],
  ["In a card: no", [caps("Alt+Backspace", isMac)]],
  ["Choose one of several", [["1"], ["…"], ["9"]]],
  ["To the latest message", [["End"]]],
  ["This list", [["?"]]],
];

const WORDS: Record<Act, string> = {
  card: "Go to the question that waits",
  mute: "Mute and unmute",
  style: "Next way of taking turns",
  replay: "Hear the last answer again",
  back: "Previous message",
  forward: "Next message",
  newChat: "New chat",
  chats: "Chats",
  attach: "Attach a file",
  inspector: "Inspector",
};

const ACTS = Object.keys(WORDS) as Act[];

type Props = { changed: Shortcuts; onChange(changed: Shortcuts): void; onClose(): void };

export function ShortcutSheet({ changed, onChange, onClose }: Props) {
  const [asked, setAsked] = useState<Act | null>(null);
  const [problem, setProblem] = useState("");
  useCapture(asked, (pressed) => {
    if (!asked) return;
    if (!pressed) return setAsked(null);
    const next = rebind(asked, pressed, changed);
    setProblem("taken" in next ? `Those keys are for “${WORDS[next.taken as Act]}”.` : "");
    setAsked(null);
    if (!("taken" in next)) onChange(next);
  });
  return (
    <Sheet title="Keyboard shortcuts" onClose={onClose}>
      <dl class={styles.keys}>
        {ACTS.filter((act) => act !== "inspector" || isWanted()).map((act) => (
          <Row key={act} words={WORDS[act]} ways={[caps(changed[act] ?? USUAL[act], isMac)]}>
            <TextButton
              aria-label={`${asked === act ? "Press them now" : "Change"}: ${WORDS[act]}`}
              onClick={() => {
                setProblem("");
                setAsked(asked === act ? null : act);
              }}
            >
              {asked === act ? "Press them now" : "Change"}
            </TextButton>
          </Row>
        ))}
        {FIXED.map(([words, ways]) => (
          <Row key={words} words={words} ways={ways} />
        ))}
      </dl>
      <p role="status" class={styles.nothing}>
        {problem || (asked ? "Press Alt or Ctrl together with another key. Esc leaves it as it is." : "")}
      </p>
      {Object.keys(changed).length > 0 && <TextButton onClick={() => onChange({})}>All keys as they were</TextButton>}
    </Sheet>
  );
}

type RowProps = { words: string; ways: string[][]; children?: ComponentChildren };

function Row({ words, ways, children }: RowProps) {
  return (
    <>
      <dt>{words}</dt>
      <dd>
        {ways.map((way) => (
          <span key={way.join()}>
            {way.map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </span>
        ))}
        {children}
      </dd>
    </>
  );
}

/** The next keys that are pressed together, before anything else hears of them. */
function useCapture(asked: Act | null, took: (pressed: string) => void): void {
  useLayoutEffect(() => {
    if (!asked) return;
    const hear = (event: KeyboardEvent) => {
      const pressed = pressedOf(event, isMac);
      if (!pressed && event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      took(pressed);
    };
    addEventListener("keydown", hear, true);
    return () => removeEventListener("keydown", hear, true);
  });
}
