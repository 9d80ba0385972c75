/** One turn, line by line: what was going on, when, and for how long. */

import styles from "./TurnWaterfall.module.css";
import { count, shortId, time as spelled, words } from "./units.ts";
import { answeredBy, lengthOf, markName, type Span, spanName, spent, type Waterfall } from "./waterfall.ts";

type Props = {
  turn: Waterfall;
  /** What half of the turns of this session took to their first word, to compare with. */
  usual?: { label: string; us: number };
  /** What is shorter cannot be told: the times of events are in milliseconds. */
  grain_us?: number;
};

export function TurnWaterfall({ turn, usual, grain_us = 0 }: Props) {
  const time = (us: number) => (us < grain_us ? `< ${spelled(grain_us).replace(".0 ", " ")}` : spelled(us));
  const length = lengthOf(turn);
  const at = (us: number) => `${((us / length) * 100).toFixed(2)}%`;
  return (
    <div class={styles.turn}>
      <Facts turn={turn} />
      <table class={styles.rows}>
        <caption class="unseen">What was going on in this turn, from its beginning on</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">What</th>
            <th scope="col">When</th>
            <th scope="col">Took</th>
          </tr>
        </thead>
        <tbody>
          {turn.spans.map((span) => (
            <tr key={`${span.kind} ${span.name} ${span.start_us}`}>
              <th scope="row" title={span.name}>
                {spanName(span)}
                <Notes span={span} />
              </th>
              <td class={styles.track}>
                {turn.marks.map(({ name, at_us }) => (
                  <i key={name} class={styles.hair} style={{ left: at(at_us) }} />
                ))}
                <i
                  class={`${styles.bar} ${styles[span.kind] ?? ""}`}
                  data-open={span.end_us === undefined}
                  data-failed={isFailed(span)}
                  style={{ left: at(span.start_us), width: at((span.end_us ?? length) - span.start_us) }}
                />
                <span class="unseen">from {time(span.start_us)}</span>
              </td>
              <td class={styles.took}>{span.end_us === undefined ? "open" : time(span.end_us - span.start_us)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul class={styles.marks} aria-label="What was waited for">
        {turn.marks.map(({ name, at_us }) => (
          <li key={name}>
            <span aria-hidden="true">◆</span> {markName(name)} <b>{time(at_us)}</b>
          </li>
        ))}
        {usual && (
          <li class={styles.usual}>
            {usual.label} <b>{time(usual.us)}</b>
          </li>
        )}
      </ul>
    </div>
  );
}

function Facts({ turn }: { turn: Waterfall }) {
  const { outcome, error_code, execution, reason, fallback, took_us, input_mode, turn_id, trace_id } = turn;
  const { tier, tier_reason, models = [] } = turn;
  const cost = spent(models);
  return (
    <dl class={styles.facts}>
      <Fact
        name="Outcome"
        value={error_code ? `${outcome} · ${words(error_code)}` : outcome}
        isBad={outcome === "failed" || outcome === "unknown"}
      />
      <Fact name="Took" value={took_us === undefined ? "not over" : spelled(took_us)} />
      <Fact name="Input" value={input_mode === "voice" ? "spoken" : "typed"} />
      {execution && (
        <Fact name="Carried out" value={`${words(execution)}${reason ? `, because ${words(reason)}` : ""}`} />
      )}
      {tier && (
        <Fact
          name="Answered by"
          value={`${answeredBy(turn)}${tier_reason && tier !== "reflex" ? `, because ${words(tier_reason)}` : ""}`}
        />
      )}
      {cost && <Fact name="Spent" value={cost} />}
      {fallback && <Fact name="Fell back" value={words(fallback)} />}
      <Fact name="Turn" value={shortId(turn_id)} title={turn_id} isCode />
      {trace_id && <Fact name="Trace" value={shortId(trace_id)} title={trace_id} isCode />}
    </dl>
  );
}

function Fact({
  name,
  value,
  title,
  isBad,
  isCode,
}: {
  name: string;
  value: string;
  title?: string;
  isBad?: boolean;
  isCode?: boolean;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isBad ? styles.bad : isCode ? styles.code : undefined} title={title}>
        {value}
      </dd>
    </div>
  );
}

function Notes({ span: { action_level, channel, state, error_code, attempts } }: { span: Span }) {
  const notes = [
    action_level === "write" ? "write" : "",
    state && state !== "done" && state !== "confirmed" ? words(state) : "",
    channel ? `by ${channel}` : "",
    error_code ? words(error_code) : "",
    attempts && attempts > 1 ? `${count(attempts)} tries` : "",
  ].filter(Boolean);
  return notes.length ? <small>{notes.join(" · ")}</small> : null;
}

const isFailed = ({ state }: Span) =>
  state !== undefined && ["failed", "failed_clean", "unknown", "maybe_sent", "needs_user"].includes(state);
