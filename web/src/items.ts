/** What a conversation is made of, piece by piece, as the screen shows it. */
import type {
  ActionLevel,
  Attached,
  Capabilities,
  Channel,
  Decision,
  InputMode,
  Pending,
  PlanUpdate,
  Question,
  Tier,
  TurnState,
} from "../sdk/index.ts";
import type { Payload } from "../sdk/wire.ts";

type Place = {
  /** The same piece keeps it, whatever happens to it. */
  key: string;
  turn: string;
};

export type Message = Place & {
  kind: "message";
  id: string;
  role: "user" | "assistant";
  text: string;
  ts: string;
  mode: InputMode;
  /** `draft`: being said. `growing`: being written. `stopped`: cut off. */
  phase: "draft" | "growing" | "settled" | "stopped";
  /** Of a draft: so many characters will not change any more. */
  stable: number;
  confidence: number;
  /** Words that were hardly made out: from and to, in letters. */
  doubted: readonly (readonly [number, number])[];
  attachments: readonly Attached[];
  /** Of an answer that was cut off while it was spoken. */
  heardChars: number | null;
  /** It was cut off by a break in the connection; nobody stopped it. */
  isLost: boolean;
  /** It was streamed to us: it is news, not history. */
  isNew: boolean;
  /** Who answered, once that is known. */
  by: Answerer | null;
  /** So many characters only said that it was heard, before anything was looked up. */
  lead: number;
};

/** The rules of the server, or a model on its machine or elsewhere. */
export type Answerer = { tier: Tier; model: string };

export type ToolUse = Place & {
  kind: "tool";
  id: string;
  name: string;
  label: string;
  level: ActionLevel;
  args: Record<string, unknown>;
  idempotencyKey: string;
  status: "running" | "queued" | "done" | "failed" | "stopped";
  message: string;
  progress: number;
  startedAt: string;
  endedAt: string;
  error: string;
  output: unknown;
  jobId: string;
};

export type CardItem = Place & {
  kind: "card";
  id: string;
  question: Question | Pending;
  isOpen: boolean;
  answer: { decision: Decision; channel: Channel; inReplyTo: string; edited: readonly string[] } | null;
  isExpired: boolean;
  callId: string;
  result: (Payload<"tool_call.result"> & { ts: string }) | null;
  /** The last words said about it were written in this window: under this id. */
  talkedBy: string;
};

export type ChoicesItem = Place & { kind: "choices"; id: string; names: readonly string[] };
export type PlanItem = Place & { kind: "plan"; id: string; plan: PlanUpdate; isOver: boolean };
export type Notice = Place & { kind: "notice"; id: string; words: string; ts: string; again: string };

export type Item = Message | ToolUse | CardItem | ChoicesItem | PlanItem | Notice;

export type Turn = {
  id: string;
  state: TurnState;
  /** What it is at, in the server's words. */
  words: string;
  mode: InputMode;
  /** The frame that began it. */
  begunBy: string;
  /** The earlier turn whose outcome it tells. */
  follows: string;
  isOver: boolean;
  isCancelled: boolean;
  /** What it can be answered with, when it ends with a question. */
  choices: readonly string[];
  /** Counts up with everything heard of any turn. */
  heardAt: number;
};

/** What the screen shows. A fold of events: the same events always give the same screen. */
export type Conversation = {
  epoch: number;
  items: readonly Item[];
  turns: Readonly<Record<string, Turn>>;
  /** What is being said beside a turn, until it is known where it belongs. */
  draft: Message | null;
  capabilities: Capabilities | null;
  agent: string;
  /** There is more before what is shown. */
  hasMore: boolean;
  beat: number;
};

export const EMPTY: Conversation = {
  epoch: 0,
  items: [],
  turns: {},
  draft: null,
  capabilities: null,
  agent: "",
  hasMore: false,
  beat: 0,
};

/** A turn of which nothing more is known. */
export function newTurn(id: string): Turn {
  return {
    id,
    state: "thinking",
    words: "",
    mode: "text",
    begunBy: "",
    follows: "",
    isOver: false,
    isCancelled: false,
    choices: [],
    heardAt: 0,
  };
}

/** A message without a word yet, in its place. */
export function newMessage(
  { message_id = "", turn_id = "", ts }: { message_id?: string; turn_id?: string; ts: string },
  role: Message["role"],
  phase: Message["phase"],
): Message {
  return {
    kind: "message",
    key: message_id,
    id: message_id,
    turn: turn_id,
    role,
    text: "",
    ts,
    mode: "text",
    phase,
    stable: 0,
    confidence: 1,
    doubted: [],
    attachments: [],
    heardChars: null,
    isLost: false,
    isNew: false,
    by: null,
    lead: 0,
  };
}

/** The turn that works right now; one that waits for an answer does not. */
export function workingTurn({ turns }: Conversation): Turn | null {
  const working = Object.values(turns).filter(
    ({ isOver, state }) => !isOver && state !== "awaiting_confirmation" && state !== "idle",
  );
  return working.reduce<Turn | null>((latest, one) => (latest && latest.heardAt > one.heardAt ? latest : one), null);
}

/** The turn whose state the status line tells. */
export function tellingTurn(conversation: Conversation): Turn | null {
  const waiting = Object.values(conversation.turns).find(
    ({ isOver, state }) => !isOver && state === "awaiting_confirmation",
  );
  return workingTurn(conversation) ?? waiting ?? null;
}

export function openCards({ items }: Conversation): CardItem[] {
  return items.filter((item): item is CardItem => item.kind === "card" && item.isOpen);
}

/** Those that came of these words. What was only said about a card came after it. */
export function cardsFrom(conversation: Conversation, { id, turn }: Message): CardItem[] {
  const began = conversation.items.find(
    (item) => item.kind === "message" && item.role === "user" && item.turn === turn,
  );
  const isIt = turn !== "" && began?.kind === "message" && began.id === id;
  return isIt ? openCards(conversation).filter((card) => card.turn === turn) : [];
}

export function messageOf({ items }: Conversation, id: string): Message | undefined {
  return items.find((item): item is Message => item.kind === "message" && item.id === id);
}

/** Whether memory was told to rest in this conversation, and not to go on since. */
export function isMemoryPaused({ items }: Conversation): boolean {
  const last = items.findLast((item) => item.kind === "tool" && item.name === "memory.pause" && item.status === "done");
  return last?.kind === "tool" && last.args.paused === true;
}
