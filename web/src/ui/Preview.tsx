/** What would be done, drawn so that it can be checked at a glance. Every word comes from the card. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EmailPreview, EventPreview, MemoryPreview, Question, Recipient, Source } from "../../sdk/index.ts";
import { clockWords, readZoned, shownClock, spelledOut } from "../zoned.ts";
import { Button, TextButton } from "./Button.tsx";
import styles from "./Card.module.css";

/** Where an address comes from. */
const ORIGINS: Record<Source, string> = {
  explicit: "you named them",
  contact: "contact",
  thread: "this thread",
  content: "⚠ from a text",
  unknown: "⚠ not known",
};

type Props = { question: Pick<Question, "preview" | "changed">; onSay: ((words: string) => void) | null };

export function Preview({ question, onSay }: Props) {
  const { preview, changed = [] } = question;
  const has = (...fields: string[]) => fields.some((field) => changed.includes(field));
  switch (preview.kind) {
    case "email":
      return <Email mail={preview} has={has} />;
    case "event":
      return <Event event={preview} has={has} onSay={onSay} />;
    case "memory":
      return <MemoryText memory={preview} has={has} />;
    case "lines":
      return (
        <dl class={styles.rows}>
          {preview.lines.map(({ label, value }) => (
            <Row key={label} label={label}>
              {value}
            </Row>
          ))}
        </dl>
      );
  }
}

type Has = (...fields: string[]) => boolean;

function Row({ label, isChanged, children }: { label: string; isChanged?: boolean; children: ComponentChildren }) {
  return (
    <div class={styles.row}>
      <dt>{label}</dt>
      <dd>
        {children}
        {isChanged && <span class={styles.changed}>changed</span>}
      </dd>
    </div>
  );
}

function Email({
  mail: { from, to, cc = [], subject, body_text, in_reply_to },
  has,
}: {
  mail: EmailPreview;
  has: Has;
}) {
  return (
    <>
      <dl class={styles.rows}>
        <Row label="To" isChanged={has("to")}>
          <People people={to} />
        </Row>
        {(cc.length > 0 || has("cc")) && (
          <Row label="Cc" isChanged={has("cc")}>
            <People people={cc} />
          </Row>
        )}
        <Row label="Subject" isChanged={has("subject")}>
          {subject ? <span class={styles.strong}>{subject}</span> : <span class={styles.quietly}>None</span>}
        </Row>
        {in_reply_to && !to.some(({ name }) => in_reply_to === `${name}, ${subject.replace(/^re: /i, "")}`) && (
          <Row label="In reply to">
            <span class={styles.quietly}>{in_reply_to}</span>
          </Row>
        )}
        {from && (
          <Row label="From">
            <span class={styles.quietly}>{from}</span>
          </Row>
        )}
      </dl>
      <Letter text={body_text} isChanged={has("body")} />
    </>
  );
}

/** The first lines, and the rest at a touch. */
function Letter({ text, isChanged }: { text: string; isChanged: boolean }) {
  const words = useRef<HTMLDivElement>(null);
  const [isShort, setShort] = useState(true);
  const [isCut, setCut] = useState(false);
  // Before it is seen, and whenever the room or the letters are of another size: nobody sends what was hidden.
  useLayoutEffect(() => {
    const box = words.current;
    if (!box || !isShort) return;
    const look = () => setCut(box.scrollHeight > box.clientHeight + 1);
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box);
    return () => watch.disconnect();
  }, [text, isShort]);
  return (
    <div class={styles.letter}>
      <div ref={words} class={styles.letterWords} data-short={isShort} data-cut={isShort && isCut} dir="auto">
        {text}
      </div>
      {(isCut || !isShort) && (
        <TextButton aria-expanded={!isShort} onClick={() => setShort(!isShort)}>
          {isShort ? "Show all" : "Show less"}
        </TextButton>
      )}
      {isChanged && <span class={styles.changed}>changed</span>}
    </div>
  );
}

function Event({ event, has, onSay }: { event: EventPreview; has: Has; onSay: Props["onSay"] }) {
  const { title, start, end, minutes, length_assumed, attendees, location, conflicts = [], free_instead = [] } = event;
  const { change } = event;
  const now = change?.moved_from;
  const free = free_instead.map(readZoned).filter((at) => at !== null);
  return (
    <dl class={styles.rows}>
      <Row label="What" isChanged={has("title")}>
        <span class={styles.strong}>{title}</span>
      </Row>
      {now && (
        <Row label="Now">
          <When start={now.start} end={now.end} />
        </Row>
      )}
      <Row label={now ? "Moves to" : "When"} isChanged={has("start", "end")}>
        <When start={start} end={end} />
      </Row>
      {!change && (
        <Row label="How long">
          {lengthWords(minutes)}
          {length_assumed && <span class={styles.assumed}>assumed</span>}
        </Row>
      )}
      {(attendees.length > 0 || has("attendees")) && (
        <Row label="With" isChanged={has("attendees")}>
          <People people={attendees} thread="on it" />
          {attendees.length > 1 && <span class={styles.zone}>{attendees.length} guests</span>}
        </Row>
      )}
      {(location || has("location")) && (
        <Row label="Where" isChanged={has("location")}>
          {location || <span class={styles.quietly}>Not said</span>}
        </Row>
      )}
      {conflicts.length > 0 && (
        <Row label="Already on">
          <ul class={styles.conflicts}>
            {conflicts.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Row>
      )}
      {free.length > 0 && onSay && (
        <Row label="Free instead">
          <span class={styles.instead}>
            {free.map((at) => (
              <Button key={at.text} isSmall onClick={() => onSay(`make it ${clockWords(at)}`)}>
                {shownClock(at)}
              </Button>
            ))}
          </span>
        </Row>
      )}
    </dl>
  );
}

function MemoryText({
  memory: { text, alike = [], also = [], derived_from },
  has,
}: {
  memory: MemoryPreview;
  has: Has;
}) {
  return (
    <>
      <Letter text={text} isChanged={has("memory")} />
      <dl class={styles.rows}>
        {also.length > 0 && <Row label="And">{also.join(" · ")}</Row>}
        {derived_from && <Row label="From">{derived_from}</Row>}
        {alike.length > 0 && <Row label="Known">{alike.join(" · ")}</Row>}
      </dl>
    </>
  );
}

function When({ start, end }: { start: string; end: string }) {
  const [from, to] = [readZoned(start), readZoned(end)];
  if (!from || !to) return <>{`${start} – ${end}`}</>;
  const { day, times, zone, here } = spelledOut(from, to);
  return (
    <span class={styles.when}>
      <span>{day}</span>
      <span class={styles.strong}>{times}</span>
      <span class={styles.zone}>{zone}</span>
      {here && <span class={styles.zone}>{here}</span>}
    </span>
  );
}

function lengthWords(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours ? `${hours} h` : "", rest || !hours ? `${rest} min` : ""].filter(Boolean).join(" ");
}

function People({ people, thread = ORIGINS.thread }: { people: readonly Recipient[]; thread?: string }) {
  if (!people.length) return <span class={styles.quietly}>Nobody</span>;
  return (
    <ul class={styles.people}>
      {people.map(({ name, address, source }) => (
        <li
          key={address}
          class={`${styles.person} ${source === "content" || source === "unknown" ? styles.isDoubtful : ""}`}
        >
          {name && <b>{name}</b>}
          <span class={styles.address}>{address}</span>
          <span class={styles.origin}>{source === "thread" ? thread : (ORIGINS[source] ?? source)}</span>
        </li>
      ))}
    </ul>
  );
}
