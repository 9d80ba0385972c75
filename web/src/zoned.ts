/** Moments with their zone, as cards spell them: `2026-11-19T12:00:00-08:00[America/Los_Angeles]`. */

export type Zoned = { text: string; local: string; zone: string; atMs: number };

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})\[([^\]]+)\]$/;
/** People here read clocks of 24 hours. */
const HAS_24 = /^h2/.test(format({ hour: "numeric" }).resolvedOptions().hourCycle ?? "");
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** So far away, a day without its year would be taken for a nearer one. */
const YEAR_TOLD_MS = 300 * DAY_MS;

/** Null for what this browser cannot place in time. */
export function readZoned(text: unknown): Zoned | null {
  const [, local, seconds = ":00", offset, zone] = FORM.exec(String(text)) ?? [];
  if (!local || !zone || !isZone(zone)) return null;
  const atMs = Date.parse(`${local}${seconds}${offset}`);
  return Number.isNaN(atMs) ? null : { text: String(text), local, zone, atMs };
}

/**
 * A time on the clocks of a zone, `2026-11-19T12:00` as a native field gives it. Where
 * clocks skip it, the same time after the skip; where it comes twice, the first.
 */
export function zoned(local: string, zone: string): Zoned | null {
  const wallMs = wallClock(local);
  const before = offsetMs(wallMs - DAY_MS, zone);
  const after = offsetMs(wallMs + DAY_MS, zone);
  const fits = [before, after].find((offset) => offsetMs(wallMs - offset, zone) === offset);
  return readZoned(spell(wallMs - (fits ?? before), zone));
}

/** The same length later or earlier, on the clock. */
export function shiftLocal(local: string, byMs: number): string {
  return new Date(wallClock(local) + byMs).toISOString().slice(0, 16);
}

export function wallClock(local: string): number {
  return Date.parse(`${local}:00Z`);
}

/** "Thursday 19 November 2026" and "2:30 to 3:15 pm", in the zone of the start, as Sayso itself spells times. */
export function spelledOut(
  start: Zoned,
  end: Zoned,
): { day: string; shortDay: string; times: string; zone: string; here: string } {
  const timeZone = start.zone;
  const day = format({ weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone });
  const [from, to] = [new Date(start.atMs), new Date(end.atMs)];
  const ends = readZoned(spell(end.atMs, timeZone)) ?? end;
  const endsThatDay = day.format(from) === day.format(to);
  const until = endsThatDay ? shownClock(ends) : `${day.format(to)}, ${shownClock(ends)}`;
  const isOneHalf = endsThatDay && isMorning(start) === isMorning(ends) && !HAS_24;
  const begins = isOneHalf ? faceOf(start) : shownClock(start);
  return {
    day: day.format(from),
    shortDay: format({ weekday: "short", day: "numeric", month: "short", timeZone }).format(from),
    times: `${begins} to ${until}`,
    zone: zoneWords(start),
    here: hereWords(start),
  };
}

/** The same for the eye: "15:30" where clocks are read so. What is said to the server stays as it says it. */
export function shownClock(at: Zoned, has24 = HAS_24): string {
  return has24 ? at.local.slice(11) : clockWords(at);
}

/** "3:30 pm", in its own zone. */
export function clockWords(at: Zoned): string {
  return `${faceOf(at)} ${isMorning(at) ? "am" : "pm"}`;
}

/** "Thursday 19 November", in its own zone and as Sayso's rules read it; with its year where that is in doubt. */
export function dayOf({ atMs, zone: timeZone }: Zoned, now: number): string {
  const year = Math.abs(atMs - now) > YEAR_TOLD_MS ? "numeric" : undefined;
  const day = { weekday: "long", day: "numeric", month: "long", year, timeZone } as const;
  // Some put a comma behind the weekday, and some none.
  return new Intl.DateTimeFormat("en-GB", day).format(atMs).replace(",", "");
}

/** "3:30" */
function faceOf({ local }: Zoned): string {
  const [hour = 0, minute = 0] = local.slice(11).split(":").map(Number);
  return `${((hour + 11) % 12) + 1}:${two(minute)}`;
}

function isMorning({ local }: Zoned): boolean {
  return Number(local.slice(11, 13)) < 12;
}

/** "Pacific Standard Time, Los Angeles". */
export function zoneWords({ atMs, zone }: Zoned): string {
  const parts = format({ timeZone: zone, timeZoneName: "long" }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
  const city = zone.split("/").at(-1)?.replaceAll("_", " ");
  return zone.includes("/") && !zone.startsWith("Etc/") ? `${name}, ${city}` : name;
}

/** For somebody whose own clock shows another time. */
function hereWords({ atMs, zone }: Zoned): string {
  const here = format({}).resolvedOptions().timeZone;
  const at = readZoned(spell(atMs, here));
  if (!at || offsetMs(atMs, here) === offsetMs(atMs, zone)) return "";
  return `${format({ weekday: "short" }).format(atMs)} ${shownClock(at)} on your clock`;
}

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(undefined, options);
}

function spell(atMs: number, zone: string): string {
  if (Number.isNaN(atMs)) return "";
  const offset = Math.round(offsetMs(atMs, zone) / MINUTE_MS);
  const hours = two(Math.floor(Math.abs(offset) / 60));
  const local = new Date(atMs + offset * MINUTE_MS).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? "-" : "+"}${hours}:${two(Math.abs(offset) % 60)}[${zone}]`;
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMs(atMs: number, timeZone: string): number {
  if (Number.isNaN(atMs)) return 0;
  const wholeMs = Math.floor(atMs / 1000) * 1000;
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(wholeMs);
  const part = (type: string) => Number(shown.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")) - wholeMs;
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: zone }));
  } catch {
    return false;
  }
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
