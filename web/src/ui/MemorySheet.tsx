/** What Sayso was asked to remember: where it came from, and the way to let it go. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { type House, type Memory, Refusal } from "../house.ts";
import { Study } from "../study.ts";
import { Button, IconButton, TextButton } from "./Button.tsx";
import { dateWords } from "./clock.ts";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";
import { Sheet } from "./Sheet.tsx";
import { saveFile } from "./save.ts";

const LOOK_AFTER_MS = 250;
/** What was agreed to is done a moment later. */
const MOST_LOOKS = 20;

type Props = {
  house: House;
  /** Nothing is remembered or looked up in the chat that is open. */
  isPaused: boolean;
  onSay(words: string): void;
  /** To the chat in which it was told. */
  onSource(session: string): void;
  onClose(): void;
};

export function MemorySheet({ house, isPaused, onSay, onSource, onClose }: Props) {
  const study = useMemo(() => new Study(house), [house]);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<{ memories: Memory[]; total: number } | null>(null);
  const [problem, setProblem] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    let isOver = false;
    const look = () =>
      study.memories(query).then(
        (told) => isOver || setFound(told),
        (error: Refusal) => isOver || setProblem(error.message),
      );
    const timer = setTimeout(look, LOOK_AFTER_MS);
    return () => {
      // What was looked for since is answered on its own.
      isOver = true;
      clearTimeout(timer);
    };
  }, [study, query]);
  const forget = async (id: string) => {
    setAsked("");
    setProblem("");
    try {
      const card = await study.forget(id);
      await study.confirm(card.session_id, card.confirmation_request_id, card.revision);
      for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
        const left = await study.memories(query);
        setFound(left);
        if (!left.memories.some(({ memory_id }) => memory_id === id)) return;
        await new Promise((go) => setTimeout(go, LOOK_AFTER_MS));
      }
      setProblem("It is still there. Please try again in a moment.");
    } catch (error) {
      setProblem(error instanceof Refusal ? error.message : "It could not be forgotten.");
    }
  };
  const save = () =>
    study.exportMemories().then(
      (file) => saveFile(file, "memories.jsonl"),
      (error: Error) => setProblem(error.message),
    );
  return (
    <Sheet title="Memory" onClose={onClose}>
      <label class="unseen" for="memory-query">
        Look for a memory
      </label>
      <input
        id="memory-query"
        class={parts.field}
        type="search"
        placeholder="Look for something you told me"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {problem && (
        <p role="alert" class={styles.nothing}>
          {problem}
        </p>
      )}
      {found?.memories.length === 0 && (
        <p class={styles.nothing}>
          {query
            ? "Nothing comes near that."
            : "Nothing yet. Say “remember that Tom is allergic to nuts”, and it will be here."}
        </p>
      )}
      <ul class={styles.memories}>
        {found?.memories.map((memory) => (
          <li key={memory.memory_id} class={styles.memory}>
            <div class={styles.memoryWords}>
              <p>{memory.text}</p>
              <p>
                <span>
                  {dateWords(memory.created_at)} ·{" "}
                  {memory.source?.derived_from ? `from ${memory.source.derived_from}` : "in your words"}
                </span>
                {memory.source?.session_id && (
                  <TextButton onClick={() => onSource(memory.source?.session_id ?? "")}>Where I was told</TextButton>
                )}
              </p>
            </div>
            {asked === memory.memory_id ? (
              <>
                <Button isSmall looks="danger" onClick={() => forget(memory.memory_id)}>
                  Forget it
                </Button>
                <Button isSmall looks="quiet" onClick={() => setAsked("")}>
                  Keep it
                </Button>
              </>
            ) : (
              <IconButton
                icon="trash"
                size={17}
                label={`Forget: ${memory.text}`}
                onClick={() => setAsked(memory.memory_id)}
              />
            )}
          </li>
        ))}
      </ul>
      {found && found.total > found.memories.length && !query && (
        <p class={styles.nothing}>
          The newest {found.memories.length} of {found.total}. Look for the others above.
        </p>
      )}
      <section class={styles.group}>
        {found && found.total > 0 && (
          <div class={styles.setting}>
            <p class={styles.settingWords}>
              All of it can be saved to a file of yours: one memory a line, with where it is from.
            </p>
            <Button isSmall onClick={save}>
              Save to a file
            </Button>
          </div>
        )}
        <div class={styles.setting}>
          <p class={styles.settingWords}>
            {isPaused
              ? "Memory rests in this chat: nothing new is remembered, nothing is looked up."
              : "Memory can rest in this chat: nothing new is remembered then, nothing is looked up."}
          </p>
          <Button
            isSmall
            onClick={() => {
              onSay(isPaused ? "use your memory" : "pause memory in this chat");
              onClose();
            }}
          >
            {isPaused ? "Use memory again" : "Pause memory here"}
          </Button>
        </div>
      </section>
    </Sheet>
  );
}
