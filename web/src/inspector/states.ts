/** The states of a turn and what leads from one to the next; mirrors `brain/turn.rs`. */
import type { Envelope, TurnState } from "../../sdk/wire.gen.ts";
import type { Frame } from "./tape.ts";

/** Where each stands in the diagram, in a grid of columns and rows. */
export const PLACES: Record<TurnState, { column: number; row: number; label: string }> = {
  idle: { column: 1, row: 0, label: "Idle" },
  listening: { column: 0, row: 1, label: "Listening" },
  finalizing_input: { column: 1, row: 1, label: "Writing down" },
  thinking: { column: 1, row: 2, label: "Thinking" },
  executing_tools: { column: 1, row: 3, label: "Using tools" },
  awaiting_confirmation: { column: 0, row: 3, label: "Waiting for OK" },
  speaking: { column: 2, row: 2, label: "Answering" },
  cancelled: { column: 2, row: 1, label: "Cancelled" },
  error_recoverable: { column: 0, row: 2, label: "Trying again" },
  error_terminal: { column: 2, row: 3, label: "Failed" },
};

/** The arrows; into the last three leads one from every state that works on something. */
export const ARROWS: readonly (readonly [TurnState, TurnState])[] = [
  ["idle", "listening"],
  ["idle", "finalizing_input"],
  ["listening", "finalizing_input"],
  ["finalizing_input", "thinking"],
  ["thinking", "executing_tools"],
  ["thinking", "speaking"],
  ["executing_tools", "awaiting_confirmation"],
  ["executing_tools", "speaking"],
  ["awaiting_confirmation", "executing_tools"],
  ["speaking", "idle"],
  ["cancelled", "idle"],
  ["cancelled", "listening"],
  ["cancelled", "finalizing_input"],
  ["error_recoverable", "listening"],
  ["error_recoverable", "thinking"],
  ["error_terminal", "idle"],
];

const FROM_ANYWHERE: readonly TurnState[] = ["cancelled", "error_recoverable", "error_terminal"];
const RESTING: readonly TurnState[] = ["idle", "cancelled", "error_terminal"];

export function mayBecome(from: TurnState, to: TurnState): boolean {
  if (FROM_ANYWHERE.includes(to)) return !RESTING.includes(from);
  return ARROWS.some(([a, b]) => a === from && b === to);
}

export type Change = {
  number: number;
  at: string;
  turn: string;
  from: TurnState;
  to: TurnState;
  reason: string;
  isLegal: boolean;
};

/** Every change of state that was heard, newest first. */
export function changesOf(frames: readonly Frame[]): Change[] {
  const changes: Change[] = [];
  for (const { way, number, turn, body } of frames) {
    const event = body as Envelope;
    if (way !== "in" || event.event_type !== "state.change") continue;
    const { from, to, reason } = event.payload;
    changes.push({ number, at: event.ts, turn, from, to, reason, isLegal: mayBecome(from, to) });
  }
  return changes.reverse();
}
