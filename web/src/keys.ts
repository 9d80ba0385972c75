/** Keys that work wherever one is. Single letters count only inside a focused message. */

export type Keys = {
  /** `isWriting`: there are words in the box that it was pressed in. */
  stop(isWriting: boolean): boolean;
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

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function listenForKeys(keys: Keys): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const act = meaning(event, keys);
    if (act?.() === true) event.preventDefault();
  };
  const up = (event: KeyboardEvent) => {
    if (event.code === "Space" && keys.hold(false)) event.preventDefault();
  };
  addEventListener("keydown", down);
  addEventListener("keyup", up);
  return () => {
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
  // Option alone types characters on a Mac.
  const isAlt = isMac ? altKey && ctrlKey && !metaKey : altKey && !ctrlKey && !metaKey;
  const isCtrl = isMac ? metaKey && !altKey : ctrlKey && !altKey;
  if (key === "Escape") return () => keys.stop(hasWords(target));
  if (isAlt) {
    const acts: Record<string, () => void> = {
      KeyM: keys.mute,
      KeyT: keys.style,
      KeyR: keys.replay,
      KeyC: keys.card,
      KeyN: keys.newChat,
      ArrowUp: () => keys.step(-1),
      ArrowDown: () => keys.step(1),
    };
    const act = acts[code];
    return act ? took(act) : null;
  }
  if (isCtrl) {
    const acts: Record<string, () => void> = { KeyU: keys.attach, KeyK: keys.chats, Period: keys.inspector };
    const act = acts[code];
    return act ? took(act) : null;
  }
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

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function hasWords(target: EventTarget | null): boolean {
  return isWriting(target) && (target as HTMLInputElement).value?.trim() !== "";
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(target.tagName);
}
