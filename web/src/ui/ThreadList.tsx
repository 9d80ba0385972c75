/** The chats in the rail: the newest first, found by their words, named, saved and deleted. It comes after the chat. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { grouped } from "../grouped.ts";
import { Refusal, type Thread } from "../house.ts";
import { shelf } from "../shelf.ts";
import { isWaiting } from "../waits.ts";
import { Button, IconButton, TextButton } from "./Button.tsx";
import { dayWords } from "./clock.ts";
import type { RailProps } from "./SessionRail.tsx";
import styles from "./Sheet.module.css";
import type { ThreadMenu, ThreadName } from "./ThreadMenu.tsx";

const LOOK_AFTER_MS = 200;

type Page = { threads: Thread[]; next: string | null };
const FAILED = { words: "That did not work.", isOpen: false };
const NOTHING: Page = { threads: [], next: null };

export function ThreadList({ rail: props, query }: { rail: RailProps; query: string }) {
  const { house, current, beat } = props;
  const [newest, setNewest] = useState<Page>(NOTHING);
  /** What was asked for behind the newest; they stay while the newest are looked up again. */
  const [older, setOlder] = useState<Page | null>(null);
  const [again, setAgain] = useState(0);
  /** What was looked for, as it stands in each chat. */
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => setFound(new Map()), [query]);
  useEffect(() => {
    let isOver = false;
    const look = () =>
      house.threads(query).then(
        async (found) => {
          if (isOver) return;
          // What newer ones have pushed off the first page stands before the rest of them.
          setOlder((rest) => rest && { ...rest, threads: [...behind(found, newest), ...rest.threads] });
          setNewest(found);
          const snippets = query && !isOver && (await house.snippets(query).catch(() => null));
          if (snippets && !isOver) setFound(snippets);
        },
        () => fromShelf().then((threads) => isOver || setNewest({ threads, next: null })),
      );
    const timer = setTimeout(look, LOOK_AFTER_MS);
    return () => {
      // What was looked for since is answered on its own.
      isOver = true;
      clearTimeout(timer);
    };
  }, [house, query, beat, again]);
  useEffect(() => setOlder(null), [query, again]);
  const { next } = older ?? newest;
  const [isMissing, setMissing] = useState(false);
  const more = async () => {
    const found = await house.threads(query, next ?? "").catch(() => null);
    setMissing(!found);
    if (!found) return;
    setOlder({ threads: [...(older?.threads ?? []), ...found.threads], next: found.next });
  };
  const threads = each([...newest.threads, ...(older?.threads ?? [])]);
  const days = grouped(threads, ({ updated_at }) => dayWords(updated_at));
  return (
    <>
      {!threads.length && (
        <p class={styles.nothing}>{query ? "No chat has those words." : "Your chats will be here."}</p>
      )}
      {[...days].map(([day, ones]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ul>
            {ones.map((thread) => (
              <ThreadRow
                key={thread.thread_id}
                thread={thread}
                found={found.get(thread.thread_id)}
                isCurrent={thread.thread_id === current}
                rail={props}
                onChanged={() => setAgain(again + 1)}
              />
            ))}
          </ul>
        </section>
      ))}
      {next && (
        <Button isSmall looks="quiet" class={styles.railMore} onClick={more}>
          Earlier chats
        </Button>
      )}
      {isMissing && (
        <p class={styles.problem} role="alert">
          The server cannot be reached right now.
        </p>
      )}
    </>
  );
}

/** Those of the page before that are older than all of this one. What is not is gone, not older. */
function behind(page: Page, before: Page): Thread[] {
  const last = Date.parse(page.threads.at(-1)?.updated_at ?? "");
  return before.threads.filter(({ updated_at }) => Date.parse(updated_at) <= last);
}

/** Each once, where it stands first. */
function each(threads: readonly Thread[]): Thread[] {
  const seen = new Set<string>();
  return threads.filter(({ thread_id }) => !seen.has(thread_id) && seen.add(thread_id));
}

/** Without a connection, what this device has. */
async function fromShelf(): Promise<Thread[]> {
  const kept = await shelf.list();
  return kept
    .sort((a, b) => b.at - a.at)
    .map(({ thread, title, messages, at }) => ({
      thread_id: thread,
      title: title || messages[0]?.text || "A chat",
      is_named: false,
      sessions: 1,
      messages: messages.length,
      updated_at: new Date(at).toISOString(),
      last_message: null,
      last_session_id: null,
    }));
}

type RowProps = { thread: Thread; found: string | undefined; isCurrent: boolean; rail: RailProps; onChanged(): void };

function ThreadRow({ thread, found, isCurrent, rail, onChanged }: RowProps) {
  const [mode, setMode] = useState<"plain" | "menu" | "rename" | "delete">("plain");
  /** Why something was not done, told where it was asked for: on a small screen the list covers the chat. */
  const [problem, setProblem] = useState<{ words: string; isOpen: boolean } | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const [tools, setTools] = useState<{ ThreadMenu: typeof ThreadMenu; ThreadName: typeof ThreadName } | null>(null);
  // It comes after the chat, and is here by the time somebody wants it.
  const bringMenu = () =>
    import("./sheets.tsx").then(
      (sheets) => {
        setTools(sheets);
        setProblem(null);
        setMode("menu");
      },
      () => setProblem(FAILED),
    );
  const { thread_id: id, title, last_session_id } = thread;
  // What was in front here has held the keyboard; it does not fall out of the list with it.
  const before = useRef(mode);
  useLayoutEffect(() => {
    if (mode === "plain" && before.current !== mode && document.activeElement === document.body)
      row.current?.querySelector<HTMLElement>("[aria-expanded]")?.focus();
    before.current = mode;
  }, [mode]);
  const open = () => rail.onOpen({ threadId: id, sessionId: last_session_id ?? "", title });
  const attempt = async (work: () => Promise<void>) => {
    setMode("plain");
    setProblem(null);
    try {
      await work();
      onChanged();
    } catch (error) {
      const isTold = error instanceof Refusal;
      setProblem(isTold ? { words: error.message, isOpen: error.code.endsWith("_open") } : FAILED);
    }
  };
  const rename = (name: string) =>
    attempt(async () => {
      if (!name.trim() || name === title) return;
      await rail.house.rename(id, name.trim());
      rail.onRenamed(id, name.trim());
    });
  const remove = () =>
    attempt(async () => {
      await rail.house.remove(id);
      await shelf.drop(id);
      rail.onRemoved(id);
      const beside = row.current?.nextElementSibling ?? row.current?.previousElementSibling;
      if (row.current?.contains(document.activeElement)) beside?.querySelector("button")?.focus();
      if (isCurrent) rail.onOpen(null);
    });
  if (mode === "rename" && tools) {
    return (
      <li ref={row} class={styles.thread}>
        <tools.ThreadName title={title} onDone={rename} />
      </li>
    );
  }
  if (mode === "delete") {
    return (
      <li ref={row} class={styles.thread} data-current="true">
        <Deleting title={title} onDelete={remove} onKeep={() => setMode("plain")} />
      </li>
    );
  }
  return (
    <li ref={row} class={styles.thread} data-current={isCurrent}>
      <button type="button" class={styles.threadName} onClick={open} aria-current={isCurrent ? "page" : undefined}>
        <span class={styles.threadTitle}>{title}</span>
        {found && <span class={styles.threadFound}>{found}</span>}
        {isWaiting(thread, Date.now()) && <span class={styles.threadWaits}>waits for you</span>}
        {rail.unsentIn.has(id) && <span class={styles.threadWaits}>not sent yet</span>}
      </button>
      <IconButton
        class={styles.threadMore}
        icon="more"
        size={16}
        label={`More about ${title}`}
        aria-expanded={mode === "menu"}
        onClick={() => (mode === "menu" ? setMode("plain") : void bringMenu())}
      />
      {mode === "menu" && tools && (
        <tools.ThreadMenu
          onClose={() => setMode("plain")}
          onRename={() => setMode("rename")}
          onDelete={() => setMode("delete")}
          onExport={(save) => attempt(() => save(rail.house, thread))}
        />
      )}
      {problem && (
        <p class={styles.threadProblem} role="alert">
          {problem.words} {problem.isOpen && <TextButton onClick={open}>Open the chat</TextButton>}
        </p>
      )}
    </li>
  );
}

/** Asked once more, with the keyboard on what changes nothing. */
function Deleting({ title, onDelete, onKeep }: { title: string; onDelete(): void; onKeep(): void }) {
  const box = useRef<HTMLDivElement>(null);
  const words = useId();
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("button:last-child")?.focus(), []);
  return (
    <div
      ref={box}
      class={styles.deleting}
      role="alertdialog"
      aria-labelledby={words}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onKeep();
      }}
    >
      <p id={words}>
        Delete <b>“{title}”</b> for good?
      </p>
      <Button isSmall looks="danger" onClick={onDelete}>
        Delete
      </Button>
      <Button isSmall looks="quiet" onClick={onKeep}>
        Keep
      </Button>
    </div>
  );
}
