/** Work that goes on beside the conversation, and reminders: stopping the one, taking back the other. */
import { signal } from "@preact/signals";
import type { Door } from "../sdk/index.ts";
import type { ToolUse } from "./items.ts";

/** The job that keeps a reminder, as long as nobody was reminded; nothing of anything else. */
export function reminderOf({ name, status, output }: ToolUse, now: number): string {
  if (name !== "reminders.set" || status !== "done") return "";
  const { job_id = "", due_at = "" } = (output ?? {}) as { job_id?: string; due_at?: string };
  return Date.parse(due_at) > now ? job_id : "";
}

export class Jobs {
  /** The calls whose reminder was taken back on this page. */
  readonly undone = signal<ReadonlySet<string>>(new Set());
  readonly #door: Door;
  readonly #tell: (words: string) => void;

  constructor(door: Door, tell: (words: string) => void) {
    this.#door = door;
    this.#tell = tell;
  }

  async stop(job: string): Promise<void> {
    if (!(await this.#cancel(job))) this.#tell("It could not be stopped.");
  }

  async undo(tool: ToolUse): Promise<void> {
    const state = await this.#cancel(reminderOf(tool, Date.now()));
    if (state === "cancelled") this.undone.value = new Set([...this.undone.value, tool.id]);
    this.#tell(
      state === "cancelled"
        ? "Taken back: you won’t be reminded."
        : state
          ? "Too late: you were reminded of it."
          : "It could not be taken back.",
    );
  }

  /** What became of it; nothing where the server did not say. */
  async #cancel(job: string): Promise<string> {
    const answer = await this.#door.fetch(`/chat/jobs/${job}`, { method: "DELETE" }).catch(() => null);
    return answer?.ok ? ((await answer.json()) as { state: string }).state : "";
  }
}
