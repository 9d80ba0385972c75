/** How the house is doing, on one page. It shows and changes nothing. */
import { useEffect, useState } from "preact/hooks";
import { Audit } from "./Audit.tsx";
import { Choose } from "./Choose.tsx";
import { Confirmations } from "./Confirmations.tsx";
import { Empty, Locked } from "./Doorstep.tsx";
import { type Overview, WINDOWS, type Window } from "./figures.ts";
import { Health } from "./Health.tsx";
import { LatencyPlot } from "./LatencyPlot.tsx";
import styles from "./Ops.module.css";
import { Picker } from "./Picker.tsx";
import { Slowest } from "./Slowest.tsx";
import { Talking } from "./Talking.tsx";
import { Tiles } from "./Tiles.tsx";
import { Tools } from "./Tools.tsx";
import { useFigures } from "./watching.ts";

const WINDOW_NAMES: Record<Window, string> = { "15m": "15 min", "1h": "1 hour", "24h": "24 hours", "7d": "7 days" };
const INPUTS = ["", "voice", "text"] as const;
const INPUT_NAMES: Record<(typeof INPUTS)[number], string> = { "": "All", voice: "Spoken", text: "Typed" };

export function Ops() {
  const [window, setWindow] = useState<Window>("1h");
  const [input, setInput] = useState<(typeof INPUTS)[number]>("");
  const [tool, setTool] = useState("");
  const { figures, refusal, isStale, again } = useFigures({ window, input, tool });
  const tools = useNames(figures);
  if (refusal?.status === 401 || refusal?.status === 403) return <Locked refusal={refusal} onKey={again} />;
  return (
    <div class={styles.page}>
      <a class={styles.skip} href="#figures">
        Skip to the figures
      </a>
      <header class={styles.head}>
        <div class={styles.name}>
          <h1>Operations</h1>
          <a href="/">Chat</a>
        </div>
        <div class={styles.pickers}>
          <Picker label="Window" options={WINDOWS} names={WINDOW_NAMES} chosen={window} onChoose={setWindow} />
          <Picker label="Input" options={INPUTS} names={INPUT_NAMES} chosen={input} onChoose={setInput} />
          <Choose label="Tool" value={tool} options={tools} isInRow onChoose={setTool} />
        </div>
        <Live figures={figures} isStale={isStale} />
      </header>
      <main id="figures" class={styles.main} tabIndex={-1}>
        {refusal && (
          <p class={styles.trouble} role="alert">
            {refusal.message}{" "}
            <button type="button" onClick={again}>
              Try again
            </button>
          </p>
        )}
        {figures ? (
          <Figures figures={figures} tool={tool} />
        ) : (
          !refusal && <p class={styles.wait}>Reading the record…</p>
        )}
      </main>
    </div>
  );
}

/** Every tool that was heard of: with one chosen, the figures name no other. */
function useNames(figures: Overview | null): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    const heard = figures?.tools.map(({ tool_name }) => tool_name) ?? [];
    setNames((known) => (heard.every((name) => known.includes(name)) ? known : union(known, heard)));
  }, [figures]);
  return names;
}

const union = (known: readonly string[], heard: readonly string[]) => [...new Set([...known, ...heard])].toSorted();

function Live({ figures, isStale }: { figures: Overview | null; isStale: boolean }) {
  if (!figures) return <p class={styles.live} />;
  const { sessions, connections } = figures.health;
  const at = new Date(figures.until).toLocaleTimeString([], {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  return (
    <p class={styles.live} data-stale={isStale}>
      <i aria-hidden="true" />
      <span>
        {isStale ? "Stale" : "Live"} · {sessions} {sessions === 1 ? "session" : "sessions"} awake · {connections}{" "}
        connected
      </span>
      <time dateTime={figures.until}>as of {at}</time>
    </p>
  );
}

function Figures({ figures, tool }: { figures: Overview; tool: string }) {
  const isEmpty = figures.began === 0 && figures.tools.length === 0;
  return (
    <>
      {isEmpty ? (
        <Empty window={figures.window === "1h" ? "hour" : WINDOW_NAMES[figures.window]} tool={tool} />
      ) : (
        <>
          {figures.one_in > 1 && (
            <p class={styles.note}>
              Much happened: the figures are made from one in {figures.one_in} turns, evenly spread.
            </p>
          )}
          <Tiles figures={figures} />
          <LatencyPlot figures={figures} />
          <Slowest turns={figures.slowest} />
          <Tools tools={figures.tools} />
          <div class={styles.pair}>
            <Confirmations told={figures.confirmations} />
            <Talking figures={figures} />
          </div>
        </>
      )}
      <Health health={figures.health} since={figures.since_start} />
      <Audit tool={tool} />
    </>
  );
}
