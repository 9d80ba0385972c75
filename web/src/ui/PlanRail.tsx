/** What is being done for one request, step by step. */
import type { StepStatus } from "../../sdk/index.ts";
import type { PlanItem, ToolUse } from "../items.ts";
import { Icon, type IconName } from "./Icon.tsx";
import { memo } from "./memo.ts";
import parts from "./parts.module.css";
import styles from "./Tool.module.css";
import { ToolCard } from "./ToolCard.tsx";

const WORDS: Record<StepStatus, string> = {
  waiting: "to come",
  queued: "in the background",
  done: "done",
  failed: "failed",
  asking: "waits for your OK",
  agreed: "agreed, outcome not known yet",
  declined: "declined",
  expired: "expired",
  not_run: "not run",
};

const ICONS: Partial<Record<StepStatus, IconName>> = {
  done: "check",
  failed: "close",
  declined: "close",
  expired: "clock",
  asking: "help",
};

type Props = { item: PlanItem; tools?: readonly ToolUse[]; onCancel?: ((tool: ToolUse) => void) | null };

/** `tools`: what was looked up for its steps, behind them for whoever asks. */
export const PlanRail = memo(({ item, tools = [], onCancel = null }: Props) => {
  const { progress } = item.plan;
  const done = progress.filter(({ status }) => status === "done").length;
  return (
    <section class={styles.rail} aria-label={`Plan, ${done} of ${progress.length} done`}>
      <div class={styles.railHead}>
        <span>Plan</span>
        <span>
          {done} of {progress.length}
        </span>
      </div>
      <ol class={styles.steps}>
        {progress.map(({ step_index, status, label }) => (
          <li key={step_index} class={styles.step} data-status={status}>
            <span class={styles.dot}>{ICONS[status] && <Icon name={ICONS[status]} size={11} />}</span>
            <span>{label}</span>
            <span class="unseen">, {WORDS[status]}</span>
          </li>
        ))}
      </ol>
      {tools.length > 0 && (
        <details class={`${parts.details} ${styles.behind}`}>
          <summary>Details</summary>
          {tools.map((tool) => (
            <ToolCard key={tool.key} tool={tool} onCancel={onCancel} />
          ))}
        </details>
      )}
    </section>
  );
});
