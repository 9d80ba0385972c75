/** One write, from its card to its outcome, and the turn it belongs to. */
import { useEffect, useState } from "preact/hooks";
import { TurnWaterfall } from "../watch/TurnWaterfall.tsx";
import { count, NONE, words } from "../watch/units.ts";
import type { Waterfall } from "../watch/waterfall.ts";
import * as door from "./door.ts";
import { Facts } from "./Facts.tsx";
import type { AuditLine } from "./figures.ts";
import { storyOf } from "./story.ts";
import styles from "./WriteStory.module.css";

const clock = (at: string) => new Date(at).toLocaleTimeString([], { hourCycle: "h23" });

export function WriteStory({ lines }: { lines: AuditLine[] }) {
  const story = storyOf(lines);
  const turn = story?.turn;
  const [told, setTold] = useState<Waterfall | string>("");
  useEffect(() => {
    if (turn) door.turn(turn).then(setTold, (error: Error) => setTold(error.message));
  }, [turn]);
  if (!story) return null;
  const { tool, askedAt, decision, outcome, attempts, isSame } = story;
  const same = isSame === undefined ? NONE : isSame ? "the same ✓" : "not the same ✕";
  return (
    <div class={styles.story}>
      <h3>{tool}</h3>
      <Facts
        facts={[
          { name: "Asked", value: clock(askedAt) },
          {
            name: "Decided",
            value: decision ? words(decision.what) : NONE,
            hint: decision && `${words(decision.how)} · ${clock(decision.at)} · revision ${decision.revision}`,
          },
          {
            name: "Outcome",
            value: outcome ? words(outcome.what) : NONE,
            hint: outcome && [words(outcome.why), clock(outcome.at)].filter(Boolean).join(" · "),
          },
          { name: "Sent out", value: outcome ? count(attempts) : NONE, hint: "times" },
          { name: "Shown and done", value: same, hint: "by fingerprint", isBad: isSame === false },
        ]}
      />
      {typeof told === "string" ? <p role="status">{told || "Reading its turn…"}</p> : <TurnWaterfall turn={told} />}
    </div>
  );
}
