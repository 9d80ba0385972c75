/** What can be done with a chat in the list: its menu, and the box that names it. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { House, Thread } from "../house.ts";
import { Study } from "../study.ts";
import { Icon } from "./Icon.tsx";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";
import { saveFile } from "./save.ts";
import { useDismiss } from "./useDismiss.ts";

export function ThreadMenu({
  onClose,
  onRename,
  onDelete,
  onExport,
}: {
  onClose(): void;
  onRename(): void;
  onDelete(): void;
  /** With what does it. */
  onExport(save: (house: House, thread: Thread) => Promise<void>): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useDismiss(box, onClose);
  return (
    <div ref={box} class={styles.threadMenu}>
      <button type="button" onClick={onRename}>
        <Icon name="edit" size={16} /> Rename
      </button>
      <button type="button" onClick={() => onExport(saveAs("markdown"))}>
        <Icon name="download" size={16} /> Save as text
      </button>
      <button type="button" onClick={() => onExport(saveAs("json"))}>
        <Icon name="download" size={16} /> Save as JSON
      </button>
      <button type="button" onClick={onDelete}>
        <Icon name="trash" size={16} /> Delete
      </button>
    </div>
  );
}

export function ThreadName({ title, onDone }: { title: string; onDone(name: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      class={parts.field}
      aria-label="Name of this chat"
      maxLength={120}
      defaultValue={title}
      onBlur={({ currentTarget }) => onDone(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          // The same press is not for what has the keyboard next.
          event.preventDefault();
          event.currentTarget.blur();
        }
        if (event.key === "Escape") {
          event.stopPropagation();
          onDone(title);
        }
      }}
    />
  );
}

function saveAs(format: "markdown" | "json") {
  return async (house: House, { thread_id, title }: Thread): Promise<void> => {
    const name = title.replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 60) || "chat";
    saveFile(await new Study(house).export(thread_id, format), `${name}.${format === "markdown" ? "md" : "json"}`);
  };
}
