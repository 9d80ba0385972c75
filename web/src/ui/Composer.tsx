/** Where words begin: + for files, a box that grows, the microphone, and send once there is something. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Attachment, wordsToSend } from "../attach.ts";
import { hasKeys } from "../keys.ts";
import { AttachmentTray } from "./AttachmentTray.tsx";
import { IconButton } from "./Button.tsx";
import styles from "./Composer.module.css";

export type ComposerProps = {
  placeholder: string;
  /** What was being written here before; another one means another chat. */
  draft: { key: string | number; text: string };
  files: readonly Attachment[];
  /** Until then the server takes no more words. */
  slowDownUntil: number;
  mic: ComponentChildren;
  hint: ComponentChildren;
  onSend(text: string): void;
  onDraft(text: string): void;
  onFiles(files: Iterable<File>): void;
  onDropFile(key: number): void;
  onDescribeFile(key: number, words: string): void;
};

export function Composer(props: ComposerProps) {
  const [text, setText] = useState(props.draft.text);
  const words = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  // At once: what is typed meanwhile would be overwritten.
  useLayoutEffect(() => setText(props.draft.text), [props.draft.key]);
  // Whoever has keys writes at once; what somebody has gone to meanwhile is left to them.
  useLayoutEffect(() => {
    if (hasKeys() && document.activeElement === document.body) words.current?.focus({ preventScroll: true });
  }, []);
  const [isTall, setTall] = useState(false);
  // From its second line on, the words have the whole width; the buttons stand below until the box is empty.
  useLayoutEffect(() => setTall(text !== "" && (isTall || isWrapped(words.current))), [text]);
  const waitS = useWait(props.slowDownUntil);
  const write = (next: string) => {
    setText(next);
    props.onDraft(next);
  };
  const sent = wordsToSend(text, props.files);
  const send = () => {
    if (!sent) return;
    props.onSend(sent);
    write("");
    words.current?.focus();
  };
  return (
    <div>
      {waitS > 0 && <p class={styles.limit}>That was a lot at once. Ready again in {waitS} s.</p>}
      <AttachmentTray files={props.files} onDrop={props.onDropFile} onDescribe={props.onDescribeFile} />
      <form
        class={styles.composer}
        data-tall={isTall}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <input
          ref={picker}
          type="file"
          multiple
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          onChange={({ currentTarget }) => {
            props.onFiles(currentTarget.files ?? []);
            currentTarget.value = "";
          }}
        />
        <IconButton
          class={styles.round}
          icon="plus"
          label="Attach files, up to 25 MB each"
          data-attach
          onClick={() => picker.current?.click()}
        />
        <label class="unseen" for="words">
          Message
        </label>
        <textarea
          ref={words}
          id="words"
          class={styles.words}
          rows={1}
          value={text}
          placeholder={props.placeholder}
          enterkeyhint="send"
          autocomplete="off"
          dir="auto"
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onPaste={(event) => {
            const files = event.clipboardData?.files;
            if (!files?.length) return;
            event.preventDefault();
            props.onFiles(files);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            send();
          }}
        />
        {props.mic}
        {sent !== "" && <IconButton class={`${styles.round} ${styles.send}`} icon="send" label="Send" type="submit" />}
      </form>
      <p class={styles.keys}>{props.hint}</p>
    </div>
  );
}

const TWO_LINES = 2.6;

function isWrapped(box: HTMLElement | null): boolean {
  return box !== null && box.scrollHeight > TWO_LINES * Number.parseFloat(getComputedStyle(box).lineHeight);
}

function useWait(until: number): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    if (until <= Date.now()) return;
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}
