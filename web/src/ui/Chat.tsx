/** The chat of one page: signals of the session on one side, components that draw on the other. */
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { announceNow } from "../announcer.ts";
import { gist, shortQuestion } from "../gist.ts";
import type { CardItem, Conversation } from "../items.ts";
import { goBack, hasKeys, keysFor } from "../keys.ts";
import { prefs } from "../prefs.ts";
import { Pressed } from "../pressed.ts";
import { unusedIn, verbsOf } from "../receipt.ts";
import type { Session } from "../session.ts";
import { Button } from "./Button.tsx";
import { ConfirmCard } from "./ConfirmCard.tsx";
import { ConfirmDock, goToCard, useCovered } from "./ConfirmDock.tsx";
import { Guarded } from "./Guarded.tsx";
import { Icon } from "./Icon.tsx";
import { MessageList } from "./MessageList.tsx";
import styles from "./Shell.module.css";
import { MicTrouble, Strip } from "./Strip.tsx";
import { micWords } from "./status.ts";
import { rowsOf, type Ways } from "./thread.tsx";
import { Talk, TalkPlace, Welcome } from "./Welcome.tsx";
import { Words } from "./Words.tsx";

const ARM_AFTER_MS = 400;
/** A card that comes in the place of one that was just answered waits longer: a second click is not for it. */
const ARM_NEXT_AFTER_MS = 1200;
const JUST_ANSWERED_MS = 4000;

type Props = { session: Session; toEnd: number; first: ComponentChildren; name: string };

export function Chat({ session, toEnd, first, name }: Props) {
  /** What was the last of it when somebody went further up; nothing while they are at the end. */
  const [leftAt, setLeftAt] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const ways = useWays(session);
  const say = useCallback(
    (text: string) => {
      void session.say(text);
      setSent((count) => count + 1);
    },
    [session],
  );
  /** The same by a press: it counts once. */
  const press = useMemo(() => {
    const pressed = new Pressed();
    return (text: string) => {
      const isBusy = session.working.value !== null;
      if (pressed.isMeant(text, performance.now(), session.waiting.value, isBusy)) say(text);
    };
  }, [session, say]);
  const conversation = session.conversation.value;
  const rows = rowsOf(
    {
      conversation,
      earlier: session.past.earlier.value,
      waiting: session.waiting.value,
      superseded: session.superseded.value,
      undone: session.jobs.undone.value,
      spokenBy: useSpoken(session),
      isLive: session.isLive.value,
      isBusy: session.working.value !== null,
    },
    { ...ways, say: press, drawCard: (card) => <Card key={card.id} session={session} card={card} onSay={press} /> },
  );
  const last = endOf(conversation);
  const isCovered = useCovered(session.cards.value);
  const ears = session.capabilities.value?.hears;
  const canHear = ears ?? false;
  return (
    <>
      <MessageList
        rows={rows}
        chat={session.threadId.value}
        toEnd={toEnd + sent}
        onAway={(isAway) => setLeftAt(isAway ? last : null)}
        hasMore={session.past.hasMore.value}
        onMore={() => void session.past.more()}
        empty={
          <Welcome
            name={name}
            talk={ears ? <TalkHere session={session} /> : (ears ?? <TalkPlace />)}
            first={first}
            isNew={!prefs.value.isGreeted}
            onSay={press}
          />
        }
      />
      <footer class={styles.bottom}>
        <div class={styles.column}>
          {leftAt !== null && rows.length > 0 && !isCovered && (
            <Button isSmall class={styles.pill} onClick={() => setSent(sent + 1)}>
              {last !== leftAt || session.working.value ? "New reply" : "Latest"} <Icon name="down" size={15} />
            </Button>
          )}
          {session.toast.value && <p class={styles.toast}>{session.toast.value}</p>}
          <Guarded otherwise={null}>
            <CardNews session={session} />
            <ConfirmDock cards={session.cards.value} />
          </Guarded>
          <Strip session={session} />
          <MicTrouble session={session} />
          <Words session={session} canHear={canHear} onSay={say} />
        </div>
      </footer>
    </>
  );
}

/** The last of it, and how long it is: both change with what is new. */
function endOf({ items }: Conversation): string {
  const last = items.at(-1);
  return `${last?.key} ${last?.kind === "message" ? last.text.length : ""}`;
}

/** It goes away once somebody can talk; the keyboard is then where Space is held to do so. */
function TalkHere({ session }: { session: Session }) {
  const mic = session.mic.value.state;
  const words = micWords({
    mic,
    style: prefs.value.turnStyle,
    isHeld: session.isHeld.value,
    hasKeys: hasKeys(),
  });
  const talk = async () => {
    await session.talk();
    if (session.sayso.mic.isOpen) document.querySelector<HTMLElement>("[data-scroller]")?.focus();
  };
  return <Talk mic={mic} words={words} level={session.micLevel} onTalk={() => void talk()} />;
}

/** The same functions every time, so that what did not change is not drawn again. */
function useWays(session: Session): Omit<Ways, "say" | "drawCard"> {
  return useMemo(
    () => ({
      correct: (message, text) => void session.correct(message, text),
      replay: (id, fromChars) => void session.replay(id, fromChars),
      cancel: (tool) => void session.jobs.stop(tool.jobId),
      undo: (tool) => void session.jobs.undo(tool),
      sendAgain: (eventId) => session.sayso.outbox.sendAgain(eventId),
      takeBack: (eventId) => session.takeBack(eventId),
      remove: (eventId) => void session.sayso.outbox.take(eventId),
      isOurs: (card) => session.answers.isOurs(card),
      isElsewhere: (card) => session.answers.isElsewhere(card.id),
      unusedIn: (card) => unusedIn(card, session.drafts.edits.value[card.id]),
    }),
    [session],
  );
}

function useSpoken(session: Session) {
  const { message, heardChars } = session.voice.value;
  const { textMode: mode } = prefs.value;
  const spoken = useMemo(() => ({ heardChars, mode }), [heardChars, mode]);
  return (id: string) => (message && id === message ? spoken : null);
}

function Card({ session, card, onSay }: { session: Session; card: CardItem; onSay(words: string): void }) {
  const { answers, sayso } = session;
  const cards = session.cards.value;
  const [first] = cards;
  const armAfterMs = useMemo(
    () => (performance.now() - answers.answeredAt < JUST_ANSWERED_MS ? ARM_NEXT_AFTER_MS : ARM_AFTER_MS),
    [answers],
  );
  return (
    <ConfirmCard
      card={card}
      isLive={session.isLive.value}
      armAfterMs={armAfterMs}
      pending={answers.pending.value[card.id]?.decision ?? null}
      problem={answers.problems.value[card.id] ?? ""}
      leftMs={() => Date.parse(card.question.expires_at) - sayso.link.serverNow}
      onAnswer={(decision, channel, edited) => {
        answers.give(card, decision, channel, edited);
        goBack();
      }}
      kept={session.drafts.edits.value[card.id] ?? null}
      onKeep={(edit) => session.drafts.keepEdit(card.id, edit)}
      onSay={onSay}
      onTouch={() => answers.extend(card.id)}
      onKeepOpen={() => answers.extend(card.id, true)}
      place={{ at: cards.findIndex(({ id }) => id === card.id) + 1, of: cards.length }}
      before={
        first && first.id !== card.id ? { words: shortQuestion(first.question), go: () => goToCard(first.id) } : null
      }
    />
  );
}

/** A card that waits is told once, also to those who do not look. */
function CardNews({ session }: { session: Session }) {
  const card = session.cards.value[0];
  const elsewhere = session.waits.elsewhere.value;
  const news = card ? `${card.id} ${card.question.revision}` : "";
  const named = session.title.value ? `${session.title.value} – Sayso` : "Sayso";
  const title = card ? "● Confirm – Sayso" : elsewhere ? `● ${elsewhere} waiting – Sayso` : named;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (!card) return;
    const verbs = verbsOf(card.question);
    const warnings = card.question.warnings.map(({ text }) => `Warning: ${text}.`);
    announceNow(
      [
        card.question.title,
        `${gist(card.question)}.`,
        ...warnings,
        `Choices: ${verbs.accept}, Edit, ${verbs.reject}. ${keysFor("card").join(" ")} goes to the card.`,
      ].join(" "),
    );
  }, [news]);
  return null;
}
