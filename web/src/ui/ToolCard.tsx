/** One thing that was looked up or drafted: a quiet line, with everything behind it for whoever asks. */
import { useState } from "preact/hooks";
import type { ToolUse } from "../items.ts";
import { reminderOf } from "../jobs.ts";
import { TextButton } from "./Button.tsx";
import { duration } from "./clock.ts";
import { Icon } from "./Icon.tsx";
import { memo } from "./memo.ts";
import parts from "./parts.module.css";
import styles from "./Tool.module.css";
import type { ToolMore } from "./ToolMore.tsx";

const STATUS_WORDS: Record<ToolUse["status"], string> = {
  running: "running",
  queued: "in the background",
  done: "done",
  failed: "failed",
  stopped: "stopped",
};

type Props = {
  tool: ToolUse;
  onCancel: ((tool: ToolUse) => void) | null;
  onUndo?: (tool: ToolUse) => void;
  isUndone?: boolean;
};

export const ToolCard = memo(({ tool, onCancel, onUndo, isUndone = false }: Props) => {
  const [isOpen, setOpen] = useState(false);
  // It comes after the chat, and is here by the time somebody wants it.
  const [More, setMore] = useState<typeof ToolMore | null>(null);
  const open = () => {
    setOpen(!isOpen);
    if (!More)
      import("./sheets.tsx").then(
        (sheets) => setMore(() => sheets.ToolMore),
        () => setOpen(false),
      );
  };
  const tookMs = Date.parse(tool.endedAt) - Date.parse(tool.startedAt);
  const isMoving = tool.status === "running" || tool.status === "queued";
  const note = tool.status === "failed" ? tool.error : isMoving && tool.message !== "Queued" ? tool.message : "";
  return (
    <div class={`${styles.tool} ${isOpen ? styles.isOpen : ""}`} data-tool={tool.status}>
      <button type="button" class={styles.row} aria-expanded={isOpen} onClick={open}>
        <Status status={tool.status} />
        <span class={styles.label}>{[tool.label, note].filter(Boolean).join(" · ")}</span>
        <span class={parts.badge}>{tool.level}</span>
        <span class={styles.aside}>{tookMs >= 0 ? duration(tookMs) : STATUS_WORDS[tool.status]}</span>
        <span class="unseen">{STATUS_WORDS[tool.status]}</span>
        <span class={styles.chevron}>
          <Icon name="right" size={14} />
        </span>
      </button>
      {isMoving && tool.progress > 0 && (
        <div
          class={styles.bar}
          role="progressbar"
          aria-label={tool.label}
          aria-valuenow={Math.round(tool.progress * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ width: `${Math.round(tool.progress * 100)}%` }} />
        </div>
      )}
      {isOpen && More && <More tool={tool} />}
      {isMoving && tool.jobId && onCancel && (
        <p class={styles.way}>
          <TextButton onClick={() => onCancel(tool)}>Stop this</TextButton>
        </p>
      )}
      {isUndone && <p class={styles.way}>Taken back</p>}
      {!isUndone && onUndo && reminderOf(tool, Date.now()) && (
        <p class={styles.way}>
          <TextButton onClick={() => onUndo(tool)}>Undo</TextButton>
        </p>
      )}
    </div>
  );
});

function Status({ status }: { status: ToolUse["status"] }) {
  if (status === "running" || status === "queued") {
    return (
      <span class={styles.mark}>
        <span class={styles.spinner} />
      </span>
    );
  }
  const looks = status === "done" ? styles.done : status === "failed" ? styles.failed : "";
  return (
    <span class={`${styles.mark} ${looks}`}>
      <Icon name={status === "done" ? "check" : "close"} size={15} />
    </span>
  );
}

/** Look-ups in a row fold into one line. */
export function ToolFold({ tools, onCancel }: { tools: readonly ToolUse[]; onCancel: Props["onCancel"] }) {
  const [isOpen, setOpen] = useState(false);
  const totalMs = tools.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
    0,
  );
  return (
    <div class={`${styles.tool} ${isOpen ? styles.isOpen : ""}`}>
      <button type="button" class={styles.row} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Status status="done" />
        <span class={styles.label}>{tools.length} look-ups</span>
        <span class={styles.aside}>{duration(totalMs)}</span>
        <span class={styles.chevron}>
          <Icon name="right" size={14} />
        </span>
      </button>
      {isOpen && (
        <div class={styles.more}>
          {tools.map((tool) => (
            <ToolCard key={tool.key} tool={tool} onCancel={onCancel} />
          ))}
        </div>
      )}
    </div>
  );
}
