/** Keys that work wherever one is. Single letters count only inside a focused message. */
import { prefs } from "./prefs.ts";
import { type Act, actOf, caps, pressedOf, USUAL } from "./shortcuts.ts";

/** Where a key may say no to a card: where one writes, reads and answers. Elsewhere it is meant for something else. */
const ANSWERING = "footer, [data-scroller]";
const WORDS = "words";

export type Keys = {
  /** `mayAnswer`: it was pressed where somebody may mean the card that waits. */
  stop(mayAnswer: boolean): boolean;
  mute(): void;
  style(): void;
  replay(): void;
  card(): void;
  attach(): void;
  chats(): void;
  newChat(): void;
  inspector(): void;
  help(): void;
  end(): void;
  hold(isDown: boolean): boolean;
  step(by: 1 | -1): void;
  copyMessage(id: string): void;
  replayMessage(id: string): void;
};

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** There are keys to press, as far as a page can tell. */
export function hasKeys(): boolean {
  return !matchMedia("(pointer: coarse)").matches;
}

/** Back to where one writes; where that would call up a keyboard on the screen, to what one reads. */
export function goBack(): void {
  const place = hasKeys() ? document.getElementById(WORDS) : document.querySelector<HTMLElement>("[data-scroller]");
  place?.focus({ preventScroll: true });
}

/** What is written on the keys for it, as the person has them. */
export function keysFor(act: Act): string[] {
  return caps(prefs.value.keys[act] ?? USUAL[act], isMac);
}

export function listenForKeys(keys: Keys): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const act = meaning(event, keys);
    if (act?.() === true) event.preventDefault();
  };
  const up = (event: KeyboardEvent) => {
    if (event.code === "Space" && keys.hold(false)) event.preventDefault();
  };
  // Where the window loses the keyboard, a key is never let go.
  const away = () => void keys.hold(false);
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  addEventListener("blur", away);
  return () => {
    removeEventListener("blur", away);
    removeEventListener("keydown", down);
    removeEventListener("keyup", up);
  };
}

function meaning(event: KeyboardEvent, keys: Keys): (() => boolean) | null {
  const { code, key, altKey, ctrlKey, metaKey, repeat, target } = event;
  const took = (act: () => void) => () => {
    act();
    return true;
  };
  if (key === "Escape") return () => leaves(target) || keys.stop(mayAnswer(target));
  const act = actOf(pressedOf(event, isMac), prefs.value.keys);
  if (act) return took(actsOf(keys)[act]);
  if (altKey || ctrlKey || metaKey) return null;
  if (isWriting(target)) return null;
  if (code === "Space" && !isButton(target)) return () => repeat || keys.hold(true);
  if (key === "?") return took(keys.help);
  if (key === "End") return took(keys.end);
  const message = target instanceof HTMLElement ? target.dataset.message : undefined;
  if (message && key === "c") return took(() => keys.copyMessage(message));
  if (message && key === "r") return took(() => keys.replayMessage(message));
  return null;
}

function actsOf(keys: Keys): Record<Act, () => void> {
  const { mute, style, replay, card, newChat, attach, chats, inspector } = keys;
  const [back, forward] = [() => keys.step(-1), () => keys.step(1)];
  return { mute, style, replay, card, newChat, back, forward, attach, chats, inspector };
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A field other than the box is left, and that is all. */
function leaves(target: EventTarget | null): boolean {
  if (!isWriting(target) || (target as HTMLElement).id === WORDS) return false;
  (target as HTMLElement).blur();
  return true;
}

function mayAnswer(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return true;
  if (isWriting(target)) return (target as HTMLTextAreaElement).value.trim() === "";
  return target === document.body || target.closest(ANSWERING) !== null;
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(target.tagName);
}
