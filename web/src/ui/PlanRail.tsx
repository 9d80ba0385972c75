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
  const name = `Plan, ${done} of ${progress.length} done`;
  const steps = (
    <ol class={styles.steps}>
      {progress.map(({ step_index, status, label }) => (
        <li key={step_index} class={styles.step} data-status={status}>
          <span class={styles.dot}>{ICONS[status] && <Icon name={ICONS[status]} size={11} />}</span>
          <span>{label}</span>
          <span class="unseen">, {WORDS[status]}</span>
        </li>
      ))}
    </ol>
  );
  const behind = tools.map((tool) => <ToolCard key={tool.key} tool={tool} onCancel={onCancel} />);
  // What is done needs no room any more.
  if (item.isOver && done === progress.length) {
    return (
      <section aria-label={name}>
        <details class={`${parts.details} ${styles.over}`}>
          <summary>
            <span class={`${styles.mark} ${styles.done}`}>
              <Icon name="check" size={15} />
            </span>
            All {done} steps done
          </summary>
          <div class={styles.more}>
            {steps}
            {behind}
          </div>
        </details>
      </section>
    );
  }
  return (
    <section class={styles.rail} aria-label={name}>
      <div class={styles.railHead}>
        <span>Plan</span>
        <span>
          {done} of {progress.length}
        </span>
      </div>
      {steps}
      {behind.length > 0 && (
        <details class={`${parts.details} ${styles.behind}`}>
          <summary>Details</summary>
          {behind}
        </details>
      )}
    </section>
  );
});
