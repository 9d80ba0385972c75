/** Which keys do what: as it comes, and as the person has changed it. Pure. */

/** What a key with Alt or Ctrl can do. */
export type Act =
  | "mute"
  | "style"
  | "replay"
  | "card"
  | "newChat"
  | "back"
  | "forward"
  | "attach"
  | "chats"
  | "inspector";
export type Shortcuts = Readonly<Partial<Record<Act, string>>>;

/** `Alt` is Ctrl and Option on a Mac, where Option alone types characters; `Ctrl` is Command there. */
export const USUAL: Readonly<Record<Act, string>> = {
  mute: "Alt+KeyM",
  style: "Alt+KeyT",
  replay: "Alt+KeyR",
  card: "Alt+KeyC",
  newChat: "Alt+KeyN",
  back: "Alt+ArrowUp",
  forward: "Alt+ArrowDown",
  attach: "Ctrl+KeyU",
  chats: "Ctrl+KeyK",
  inspector: "Ctrl+Period",
};

type Pressed = Pick<KeyboardEvent, "code" | "altKey" | "ctrlKey" | "metaKey">;

/** What was pressed, as it stands in the table; nothing without Alt or Ctrl. */
export function pressedOf({ code, altKey, ctrlKey, metaKey }: Pressed, isMac: boolean): string {
  if (/^(Alt|Control|Meta|Shift)/.test(code)) return "";
  const isAlt = isMac ? altKey && ctrlKey && !metaKey : altKey && !ctrlKey && !metaKey;
  const isCtrl = isMac ? metaKey && !altKey : ctrlKey && !altKey;
  return isAlt ? `Alt+${code}` : isCtrl ? `Ctrl+${code}` : "";
}

export function actOf(pressed: string, changed: Shortcuts): Act | null {
  const acts = Object.keys(USUAL) as Act[];
  return pressed ? (acts.find((act) => (changed[act] ?? USUAL[act]) === pressed) ?? null) : null;
}

/** How it is written on keys: `Alt` and `M`. */
export function caps(pressed: string, isMac: boolean): string[] {
  const names: Record<string, string[]> = isMac ? { Alt: ["Ctrl", "⌥"], Ctrl: ["⌘"] } : {};
  const named: Record<string, string> = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Period: "." };
  return pressed.split("+").flatMap((one) => names[one] ?? [named[one] ?? one.replace(/^(Key|Digit)/, "")]);
}

/** The table with one more change, or why it cannot be. A key that is the usual one again needs no entry. */
export function rebind(act: Act, pressed: string, changed: Shortcuts): Shortcuts | { taken: Act } {
  const other = actOf(pressed, changed);
  if (other && other !== act) return { taken: other };
  const { [act]: _, ...rest } = changed;
  return pressed === USUAL[act] ? rest : { ...rest, [act]: pressed };
}
