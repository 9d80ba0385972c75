/** How a menu goes away. */
import { useEffect } from "preact/hooks";

/** Esc, or a click elsewhere. */
export function useDismiss(box: { current: HTMLElement | null }, onClose: () => void): void {
  useEffect(() => {
    const before = document.activeElement;
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      onClose();
      if (before instanceof HTMLElement) before.focus();
    };
    const clicked = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.parentElement?.contains(target)) onClose();
    };
    const here = box.current?.parentElement ?? document.body;
    here.addEventListener("keydown", pressed);
    addEventListener("pointerdown", clicked);
    return () => {
      here.removeEventListener("keydown", pressed);
      removeEventListener("pointerdown", clicked);
    };
  }, [box, onClose]);
}
