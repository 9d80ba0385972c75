/** Files that go with the next words: how far they are, what a picture shows, and the way to take them back. */
import type { Attachment } from "../attach.ts";
import { IconButton } from "./Button.tsx";
import styles from "./Composer.module.css";
import { fileSize } from "./clock.ts";
import { Icon } from "./Icon.tsx";

type Props = {
  files: readonly Attachment[];
  onDrop(key: number): void;
  onDescribe(key: number, words: string): void;
};

export function AttachmentTray({ files, onDrop, onDescribe }: Props) {
  if (!files.length) return null;
  return (
    <ul class={styles.tray} aria-label="Files to send">
      {files.map(({ key, name, bytes, progress, id, problem, picture }) => (
        <li key={key} class={styles.file} data-bad={problem !== ""}>
          {picture ? (
            <img class={styles.picture} src={picture} alt={name} />
          ) : (
            <Icon name={problem ? "warn" : "file"} size={16} />
          )}
          {picture && !problem ? (
            <Description name={name} onDescribe={(words) => onDescribe(key, words)} />
          ) : (
            <span class={styles.fileName}>{name}</span>
          )}
          <span class={styles.fileNote}>{problem || (id ? fileSize(bytes) : `${Math.round(progress * 100)} %`)}</span>
          <IconButton class={styles.drop} icon="close" size={14} label={`Remove ${name}`} onClick={() => onDrop(key)} />
        </li>
      ))}
    </ul>
  );
}

/** Whoever does not see the picture hears this instead of its name. */
function Description({ name, onDescribe }: { name: string; onDescribe(words: string): void }) {
  return (
    <span class={styles.described}>
      <span class={styles.fileName}>{name}</span>
      <input
        class={styles.description}
        type="text"
        maxLength={100}
        placeholder="Say what it shows"
        aria-label={`What ${name} shows`}
        autocomplete="off"
        onChange={({ currentTarget }) => onDescribe(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
      />
    </span>
  );
}
