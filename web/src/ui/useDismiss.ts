/** How a menu goes away. */
import { useLayoutEffect, useRef } from "preact/hooks";

/** Esc, wherever the keyboard is, or a click elsewhere. */
export function useDismiss(box: { current: HTMLElement | null }, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  // From when it is seen on: later, a key that is pressed at once would close nothing.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close.current();
      if (before instanceof HTMLElement) before.focus();
    };
    const clicked = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.parentElement?.contains(target)) close.current();
    };
    document.addEventListener("keydown", pressed);
    addEventListener("pointerdown", clicked);
    return () => {
      document.removeEventListener("keydown", pressed);
      removeEventListener("pointerdown", clicked);
    };
  }, [box]);
}
