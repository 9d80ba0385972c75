/** Files dropped anywhere on the page. It comes after the chat itself. */
import { useLayoutEffect, useState } from "preact/hooks";
import styles from "./Composer.module.css";

export function DropZone({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    // Words that are dragged into a field are the browser's business.
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles(event.dataTransfer?.files ?? []);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [onFiles]);
  return isOver ? <div class={styles.dropZone}>Drop it here, and ask about it</div> : null;
}
