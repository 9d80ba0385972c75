/** Below an answer: the list that it named the first of, or a draft that goes nowhere by itself. */
import { useEffect, useState } from "preact/hooks";
import type { EmailPreview } from "../../sdk/index.ts";
import type { ToolUse } from "../items.ts";
import { hasMore } from "../lists.ts";
import { memo } from "./memo.ts";
import { Preview } from "./Preview.tsx";
import parts from "./parts.module.css";
import type { summary } from "./results.tsx";
import styles from "./Tool.module.css";

type Draft = Pick<EmailPreview, "to" | "subject"> & { body: string };

/** What of a turn's work its answer had no room for. Work that brought something else has used its lists up. */
export function foundBy(tools: readonly ToolUse[]): ToolUse[] {
  const drafts = tools.filter((tool) => draftOf(tool));
  if (drafts.length) return drafts;
  return tools.every((tool) => tool.level === "read" && hasMore(tool) !== null) ? tools.filter(hasMore) : [];
}

function draftOf({ level, status, output }: ToolUse): Draft | null {
  const draft = output as Draft | null;
  return level === "draft" && status === "done" && draft?.body !== undefined && Array.isArray(draft.to) ? draft : null;
}

export const Found = memo(({ tool }: { tool: ToolUse }) => {
  const draft = draftOf(tool);
  // How lists are told comes after the chat.
  const [told, setTold] = useState<typeof summary | null>(null);
  useEffect(() => {
    if (!draft)
      import("./sheets.tsx").then(
        (sheets) => setTold(() => sheets.summary),
        () => undefined,
      );
  }, [!draft]);
  return (
    <section class={styles.found} aria-label={draft ? "Draft" : tool.label} data-found>
      {draft ? (
        <>
          <p class={parts.badge}>Draft only, nothing sent</p>
          <Preview
            question={{ preview: { kind: "email", from: null, ...draft, body_text: draft.body, has_draft: true } }}
            onSay={null}
          />
        </>
      ) : (
        told?.(tool)
      )}
    </section>
  );
});
