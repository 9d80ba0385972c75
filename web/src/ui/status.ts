/** How the three axes, turn, microphone and voice, are told in one line. Pure. */
import type { MicState, TurnState, TurnStyle } from "../../sdk/index.ts";
import type { Turn } from "../items.ts";
import type { Looks } from "./PresenceRing.tsx";
import type { Status } from "./StatusStrip.tsx";

export type Seen = {
  turn: Turn | null;
  isWorking: boolean;
  /** What saying no to the card that waits is called; empty where none can be answered. */
  refusal: string;
  isLive: boolean;
  mic: MicState;
  style: TurnStyle;
  /** In `hold` and `tap`: what is said goes out. */
  isHeld: boolean;
  /** How long an open microphone has heard nobody. */
  quietMs: number;
  /** A question with answers to choose from stands there. */
  isChoosing: boolean;
  /** There are keys to press. */
  hasKeys: boolean;
  isVoiceOn: boolean;
  isStalled: boolean;
  wasStopped: boolean;
  /** How long the turn has been in its state. */
  sinceMs: number;
  steps: { done: number; of: number } | null;
};

const SLOW_MS = 10_000;
const NOBODY_TALKS_MS = 8000;
const TRANSCRIBING_MS = 2000;

const WORDS: Record<TurnState, string> = {
  idle: "Ready",
  listening: "Listening",
  finalizing_input: "Got it",
  thinking: "Thinking",
  executing_tools: "Working",
  awaiting_confirmation: "Waiting for your OK",
  speaking: "Replying",
  cancelled: "Stopped",
  error_recoverable: "That didn’t work, trying again",
  error_terminal: "Couldn’t finish this",
};

const LOOKS: Record<TurnState, Looks> = {
  idle: "still",
  listening: "listening",
  finalizing_input: "heard",
  thinking: "thinking",
  executing_tools: "working",
  awaiting_confirmation: "asking",
  speaking: "thinking",
  cancelled: "still",
  error_recoverable: "asking",
  error_terminal: "bad",
};

export function statusOf(seen: Seen): Status {
  const { turn, isVoiceOn, steps } = seen;
  const state = turn?.state ?? "idle";
  const tone = state === "error_terminal" ? "bad" : LOOKS[state] === "asking" ? "asking" : "calm";
  const base = { tone, steps, stop: stopOf(seen), isHushable: false } as const;
  if (seen.wasStopped) return { ...base, looks: isTaken(seen) ? "open" : "still", words: "Stopped", stop: null };
  if (isVoiceOn) {
    const words = seen.isStalled ? "Buffering" : `Speaking – ${interrupts(seen)} to interrupt`;
    const short = seen.isStalled ? words : "Speaking – tap to stop";
    return { ...base, tone: "calm", looks: "speaking", words, short, isHushable: true };
  }
  if (!turn && seen.isChoosing && seen.isLive && seen.mic !== "asking")
    return { ...base, tone: "asking", looks: isTaken(seen) ? idleLooks(seen) : "asking", words: "Which one?" };
  if (!turn) return { ...base, looks: idleLooks(seen), words: idleWords(seen), stop: null };
  return { ...base, looks: LOOKS[state], words: turnWords(turn, seen.sinceMs) };
}

/** What stops the voice here: nothing is named that this person cannot do. */
function interrupts({ mic, style, hasKeys }: Seen): string {
  const ways = [isOpen(mic) && style === "auto" ? "talk" : "", "tap", hasKeys ? "Esc" : ""].filter(Boolean);
  return ways.length > 1 ? `${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}` : "tap";
}

/** The voice and the work come first. Only where neither goes on does Stop answer the card, and says how. */
function stopOf({ isWorking, isLive, isVoiceOn, refusal }: Seen): Status["stop"] {
  if (isVoiceOn || (isWorking && isLive)) return { means: "" };
  return isLive && refusal ? { means: refusal } : null;
}

function turnWords(turn: Turn, sinceMs: number): string {
  if (turn.state === "finalizing_input" && sinceMs > TRANSCRIBING_MS) return "Still transcribing…";
  const isBusy = turn.state === "thinking" || turn.state === "executing_tools";
  if (isBusy && sinceMs > SLOW_MS) return `Taking longer than usual${turn.words ? `: ${turn.words}` : ""}`;
  return turn.words || WORDS[turn.state];
}

function isOpen(mic: MicState): boolean {
  return mic === "open" || mic === "hearing";
}

/** What is said now goes to the server: the microphone is open, and it is this person's turn to talk. */
export function isTaken({ mic, style, isHeld }: Pick<Seen, "mic" | "style" | "isHeld">): boolean {
  return isOpen(mic) && (style === "auto" || isHeld);
}

function idleLooks(seen: Seen): Looks {
  if (!isTaken(seen)) return "still";
  return seen.mic === "hearing" ? "listening" : "open";
}

function idleWords(seen: Seen): string {
  if (!seen.isLive) return "You can keep typing";
  if (isTaken(seen) && seen.quietMs > NOBODY_TALKS_MS) return "I’m here when you’re ready";
  return micWords(seen);
}

/** What the microphone does, and what it waits for. */
export function micWords(seen: Pick<Seen, "mic" | "style" | "isHeld" | "hasKeys">): string {
  if (seen.mic === "asking") return "Asking for the microphone";
  if (seen.mic === "muted") return "Muted – type or unmute";
  if (!isOpen(seen.mic)) return "Ready";
  if (isTaken(seen)) return "Listening";
  if (seen.style === "tap") return "Tap to talk";
  return seen.hasKeys ? "Hold the button or Space to talk" : "Hold the button to talk";
}
