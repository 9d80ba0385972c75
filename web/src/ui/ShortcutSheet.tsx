/** Every key there is. */

import styles from "./Sheet.module.css";
import { Sheet } from "./Sheet.tsx";

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);
const ALT = isMac ? "Ctrl ⌥" : "Alt";
const CTRL = isMac ? "⌘" : "Ctrl";

const KEYS: [string, string[]][] = [
  ["Send, or a new line", ["Enter", "Shift Enter"]],
  ["Interrupt, or close what is open", ["Esc"]],
  ["Mute and unmute", [`${ALT} M`]],
  ["Talk while held, outside text fields", ["Space"]],
  ["Next way of taking turns", [`${ALT} T`]],
  ["Hear the last answer again", [`${ALT} R`]],
  ["Previous or next message, then C copies, R replays", [`${ALT} ↑`, `${ALT} ↓`]],
  ["Go to the card that waits", [`${ALT} C`]],
  ["In a card: yes, edit, no", ["Y", "E", "N"]],
  ["In a card: yes, also while editing", [`${CTRL} Enter`]],
  ["Choose one of several", ["1", "…", "9"]],
  ["Attach a file", [`${CTRL} U`]],
  ["Chats", [`${CTRL} K`]],
  ["New chat", [`${ALT} N`]],
  ["Inspector", [`${CTRL} .`]],
  ["To the latest message", ["End"]],
  ["This list", ["?"]],
];

export function ShortcutSheet({ onClose }: { onClose(): void }) {
  return (
    <Sheet title="Keys" onClose={onClose}>
      <dl class={styles.keys}>
        {KEYS.map(([words, keys]) => (
          <>
            <dt>{words}</dt>
            <dd>
              {keys.map((key) => (
                <>
                  {key.split(" ").map((one) => (
                    <>
                      <kbd>{one}</kbd>{" "}
                    </>
                  ))}
                </>
              ))}
            </dd>
          </>
        ))}
      </dl>
    </Sheet>
  );
}
