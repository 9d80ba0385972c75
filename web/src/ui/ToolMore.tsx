/** Everything about one call, for whoever asks: what it brought, what it was given, and all of it as it came. */
import type { ToolUse } from "../items.ts";
import { summary } from "./results.tsx";
import styles from "./Tool.module.css";

export function ToolMore({ tool }: { tool: ToolUse }) {
  const told = summary(tool);
  return (
    <div class={styles.more}>
      {told}
      <dl class={styles.facts}>
        <dt>Tool</dt>
        <dd>{tool.name}</dd>
        {Object.entries(tool.args).map(([name, value]) => (
          <>
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </>
        ))}
        <dt>Key</dt>
        <dd>{tool.idempotencyKey}</dd>
      </dl>
      {tool.output !== null && tool.output !== undefined && (
        <pre class={styles.raw}>{JSON.stringify(tool.output, null, 2)}</pre>
      )}
    </div>
  );
}
