/** The conversation as rows of the list: which component draws what. */
import type { ComponentChild } from "preact";
import type { Waiting } from "../../sdk/index.ts";
import { grouped } from "../grouped.ts";
import type { CardItem, Conversation, Item, Message, ToolUse } from "../items.ts";
import { outcomeOf } from "../outcome.ts";
import { undoing } from "../undo.ts";
import { noteOf, placeOf } from "../unheard.ts";
import { AssistantBubble, UserBubble, WaitingBubble } from "./Bubble.tsx";
import { ChoiceCard } from "./ChoiceCard.tsx";
import { dayName } from "./clock.ts";
import { Found, foundBy } from "./Found.tsx";
import type { Spoken } from "./KaraokeText.tsx";
import styles from "./List.module.css";
import type { Row } from "./MessageList.tsx";
import { Notice } from "./Notice.tsx";
import { PlanRail } from "./PlanRail.tsx";
import { Receipt } from "./Receipt.tsx";
import { ToolCard, ToolFold } from "./ToolCard.tsx";

export type Ways = {
  say: (words: string) => void;
  correct: (message: Message, text: string) => void;
  replay: (id: string, fromChars?: number) => void;
  cancel: (tool: ToolUse) => void;
  undo: (tool: ToolUse) => void;
  sendAgain: (eventId: string) => void;
  takeBack: (eventId: string) => void;
  remove: (eventId: string) => void;
  isOurs: (card: CardItem) => boolean;
  isElsewhere: (card: CardItem) => boolean;
  unusedIn: (card: CardItem) => string;
  drawCard: (card: CardItem) => ComponentChild;
};

export type Shown = {
  conversation: Conversation;
  earlier: readonly Message[];
  waiting: readonly Waiting[];
  superseded: ReadonlySet<string>;
  undone: ReadonlySet<string>;
  spokenBy: (message: string) => Spoken | null;
  isLive: boolean;
  isBusy: boolean;
};

export function rowsOf(shown: Shown, ways: Ways): Row[] {
  const { conversation, earlier, waiting } = shown;
  const known = new Set(conversation.items.flatMap((item) => (item.kind === "message" ? [item.id] : [])));
  const before = earlier.filter(({ id }) => !known.has(id));
  const items: Item[] = [...before, ...conversation.items];
  const last = conversation.items.findLast((item) => item.kind === "message" && item.role === "assistant");
  const heard = new Set(items.map(({ key }) => key));
  const unheard = grouped(
    waiting.filter(({ eventId }) => !heard.has(eventId)),
    (one) => placeOf(one, items),
  );
  const unheardAt = (key: string) => (unheard.get(key) ?? []).map((one) => waitingRow(one, shown, ways));
  const marks = marksOf(items);
  const found = foundIn(conversation);
  const rows = folded(items).flatMap((one) => {
    const row = rowOf(one, shown, ways, last?.key ?? "", marks);
    return [...dayAt(marks.days.get(row.key)), ...unheardAt(row.key), row, ...(found.get(row.key) ?? []).map(foundRow)];
  });
  const drafts = conversation.draft ? [rowOf(conversation.draft, shown, ways, "", marks)] : [];
  return [...rows, ...drafts, ...unheardAt("")];
}

const MINUTE_MS = 60_000;

/** Messages that are the first of their minute, and those that are the first of their day. */
type Marks = { minutes: ReadonlySet<string>; days: ReadonlyMap<string, string> };

function marksOf(items: readonly Item[]): Marks {
  const minutes = new Set<string>();
  const days = new Map<string, string>();
  let [minute, day] = [0, new Date().toDateString()];
  for (const item of items) {
    if (item.kind !== "message") continue;
    const at = Math.floor(Date.parse(item.ts) / MINUTE_MS);
    if (!at || at === minute) continue;
    minutes.add(item.key);
    const its = new Date(item.ts).toDateString();
    if (its !== day) days.set(item.key, item.ts);
    [minute, day] = [at, its];
  }
  return { minutes, days };
}

function dayAt(ts: string | undefined): Row[] {
  if (!ts) return [];
  const node = <p class={styles.day}>{dayName(ts)}</p>;
  return [{ key: `day of ${ts}`, kind: "day", begins: false, isNew: false, node }];
}

/** By the last answer of a turn: what it had no room for. What a question is about stands in the question. */
function foundIn({ items, turns }: Conversation): Map<string, ToolUse[]> {
  const found = new Map<string, ToolUse[]>();
  for (const [turn, ones] of Map.groupBy(items, (item) => item.turn)) {
    const answer = ones.findLast((item) => item.kind === "message" && item.role === "assistant");
    const isTold = turns[turn]?.isOver || turns[turn]?.state === "speaking";
    if (!answer || !isTold || ones.some(({ kind }) => kind === "card" || kind === "choices")) continue;
    found.set(answer.key, foundBy(ones.filter((item) => item.kind === "tool")));
  }
  return found;
}

function foundRow(tool: ToolUse): Row {
  return { key: `found by ${tool.key}`, kind: "found", begins: false, isNew: false, node: <Found tool={tool} /> };
}

/** Look-ups in a row are one; those of a plan stand behind its steps. */
function folded(items: readonly Item[]): (Item | ToolUse[])[] {
  const planned = new Set(items.flatMap((item) => (item.kind === "plan" ? [item.turn] : [])));
  const out: (Item | ToolUse[])[] = [];
  for (const item of items) {
    const before = out.at(-1);
    if (planned.has(item.turn) && isStep(item)) continue;
    if (!isLookUp(item)) out.push(item);
    else if (Array.isArray(before) && before[0]?.turn === item.turn) before.push(item);
    else out.push([item]);
  }
  return out;
}

function isLookUp(item: Item): item is ToolUse {
  return item.kind === "tool" && item.level === "read" && item.status === "done";
}

/** Done, told by the plan, and nothing about it is to be decided. */
function isStep(item: Item): item is ToolUse {
  return item.kind === "tool" && item.status === "done" && item.name !== "reminders.set";
}

function rowOf(one: Item | ToolUse[], shown: Shown, ways: Ways, last: string, { minutes }: Marks): Row {
  if (Array.isArray(one)) {
    const [first] = one;
    const node =
      one.length === 1 && first ? (
        <ToolCard tool={first} onCancel={ways.cancel} />
      ) : (
        <ToolFold tools={one} onCancel={ways.cancel} />
      );
    return { key: first?.key ?? "", kind: "tool", begins: false, isNew: false, node };
  }
  const begins = one.kind === "message" && one.role === "user";
  const isNew = one.kind === "message" && one.isNew;
  return { key: one.key, kind: one.kind, begins, isNew, node: draw(one, shown, ways, last, minutes) };
}

function draw(item: Item, shown: Shown, ways: Ways, last: string, timed: Marks["minutes"]): ComponentChild {
  switch (item.kind) {
    case "message":
      return item.role === "user" ? (
        <UserBubble
          message={item}
          isTimed={timed.has(item.key)}
          isSuperseded={shown.superseded.has(item.id)}
          onCorrect={ways.correct}
        />
      ) : (
        <AssistantBubble
          message={item}
          isTimed={timed.has(item.key)}
          isLast={item.key === last}
          spoken={shown.spokenBy(item.id)}
          onReplay={shown.conversation.capabilities?.speaks === false ? null : ways.replay}
        />
      );
    case "tool":
      return <ToolCard tool={item} onCancel={ways.cancel} onUndo={ways.undo} isUndone={shown.undone.has(item.id)} />;
    case "plan":
      return (
        <PlanRail
          item={item}
          tools={shown.conversation.items.filter(isStep).filter(({ turn }) => turn === item.turn)}
          onCancel={ways.cancel}
        />
      );
    case "card":
      return item.isOpen ? (
        ways.drawCard(item)
      ) : (
        <Receipt
          card={item}
          isOurs={ways.isOurs(item)}
          isElsewhere={ways.isElsewhere(item)}
          unusedIn={ways.unusedIn}
          undoing={undoing(item, shown.conversation.items)}
          again={againOf(item, shown.conversation)}
          onSay={ways.say}
        />
      );
    case "choices":
      return <ChoiceCard names={item.names} onSay={ways.say} />;
    case "notice":
      return <Notice notice={item} outcome={outcomeOf(shown.conversation.items, item.turn)} onSay={ways.say} />;
  }
}

/** What asks for it once more, where nothing was done and nothing else would be: it is asked about again. */
function againOf({ key, turn, result }: CardItem, { items }: Conversation): string {
  if (
    !result?.error?.retryable ||
    result.state !== "failed_clean" ||
    items.some((one) => one.kind === "card" && one.turn === turn && one.key !== key)
  )
    return "";
  const asked = items.find((one) => one.kind === "message" && one.role === "user" && one.turn === turn);
  return asked?.kind === "message" ? asked.text : "";
}

function waitingRow(one: Waiting, { isLive, isBusy }: Shown, ways: Ways): Row {
  const note = noteOf(one, isLive, isBusy);
  const again = { label: one.remedy === "again" ? "Send again" : "Send", do: () => ways.sendAgain(one.eventId) };
  const edit = { label: "Edit", do: () => ways.takeBack(one.eventId) };
  const remedy = one.remedy === "edit" ? edit : one.remedy ? again : null;
  const remove = one.problem || !isLive ? () => ways.remove(one.eventId) : null;
  const node = (
    <WaitingBubble text={one.text} note={note} problem={one.problem ?? ""} remedy={remedy} onRemove={remove} />
  );
  return { key: one.eventId, kind: "message", begins: true, isNew: false, node };
}
