/** Files that go with the next words: how far they are, and the way to take them back. */
import type { Attachment } from "../attach.ts";
import { IconButton } from "./Button.tsx";
import styles from "./Composer.module.css";
import { fileSize } from "./clock.ts";
import { Icon } from "./Icon.tsx";

export function AttachmentTray({ files, onDrop }: { files: readonly Attachment[]; onDrop(key: number): void }) {
  if (!files.length) return null;
  return (
    <ul class={styles.tray} aria-label="Files to send">
      {files.map(({ key, name, bytes, progress, id, problem }) => (
        <li key={key} class={styles.file} data-bad={problem !== ""}>
          <Icon name={problem ? "warn" : "file"} size={16} />
          <span class={styles.fileName}>{name}</span>
          <span class={styles.fileNote}>{problem || (id ? fileSize(bytes) : `${Math.round(progress * 100)} %`)}</span>
          <IconButton class={styles.drop} icon="close" size={14} label={`Remove ${name}`} onClick={() => onDrop(key)} />
        </li>
      ))}
    </ul>
  );
}
