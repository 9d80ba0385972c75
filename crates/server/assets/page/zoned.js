// @ts-check
/**
 * Moments with their zone, as cards spell them: `2026-11-19T12:00:00-08:00[America/Los_Angeles]`.
 *
 * @typedef {{ text: string, local: string, zone: string, atMs: number }} Zoned
 */

const FORM = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})\[([^\]]+)\]$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Null for what this browser cannot place in time. @param {unknown} text @returns {Zoned | null} */
export function readZoned(text) {
  const [, local, seconds = ":00", offset, zone] = FORM.exec(String(text)) ?? [];
  if (!local || !isZone(zone)) return null;
  const atMs = Date.parse(`${local}${seconds}${offset}`);
  return Number.isNaN(atMs) ? null : { text: String(text), local, zone, atMs };
}

/**
 * A time on the clocks of a zone. Where clocks skip it, the same time after the
 * skip; where it comes twice, the first.
 * @param {string} local `2026-11-19T12:00`, as a native field gives it
 * @param {string} zone
 */
export function zoned(local, zone) {
  const wallMs = wallClock(local);
  const before = offsetMs(wallMs - DAY_MS, zone);
  const after = offsetMs(wallMs + DAY_MS, zone);
  const fits = [before, after].find((offset) => offsetMs(wallMs - offset, zone) === offset);
  return readZoned(spell(wallMs - (fits ?? before), zone));
}

/** The same length later or earlier, on the clock. @param {string} local @param {number} byMs */
export function shiftLocal(local, byMs) {
  return new Date(wallClock(local) + byMs).toISOString().slice(0, 16);
}

/** @param {string} local */
export function wallClock(local) {
  return Date.parse(`${local}:00Z`);
}

/** "Thursday 19 November 2026" and "12:00 – 13:00", in the zone of the start. @param {Zoned} start @param {Zoned} end */
export function spelledOut(start, end) {
  const timeZone = start.zone;
  const day = format({ weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone });
  const time = format({ hour: "numeric", minute: "2-digit", timeZone });
  const [from, to] = [new Date(start.atMs), new Date(end.atMs)];
  const endsThatDay = day.format(from) === day.format(to);
  const until = endsThatDay ? time.format(to) : `${day.format(to)}, ${time.format(to)}`;
  return { day: day.format(from), times: `${time.format(from)} – ${until}`, zone: zoneWords(start), here: hereWords(start) };
}

/** "Pacific Standard Time, Los Angeles". @param {Zoned} at */
function zoneWords({ atMs, zone }) {
  const parts = format({ timeZone: zone, timeZoneName: "long" }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
  const city = zone.split("/").at(-1)?.replaceAll("_", " ");
  return zone.includes("/") && !zone.startsWith("Etc/") ? `${name}, ${city}` : name;
}

/** For somebody whose own clock shows another time. @param {Zoned} start */
function hereWords({ atMs, zone }) {
  const here = format({}).resolvedOptions().timeZone;
  if (offsetMs(atMs, here) === offsetMs(atMs, zone)) return "";
  return `${format({ weekday: "short", hour: "numeric", minute: "2-digit" }).format(atMs)} on your clock`;
}

/** @param {Intl.DateTimeFormatOptions} options */
function format(options) {
  return new Intl.DateTimeFormat(undefined, options);
}

/** @param {number} atMs @param {string} zone */
function spell(atMs, zone) {
  if (Number.isNaN(atMs)) return "";
  const offset = Math.round(offsetMs(atMs, zone) / MINUTE_MS);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map(two);
  const local = new Date(atMs + offset * MINUTE_MS).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? "-" : "+"}${hours}:${minutes}[${zone}]`;
}

/** How far the clocks of a zone are ahead of UTC. @param {number} atMs @param {string} timeZone */
function offsetMs(atMs, timeZone) {
  if (Number.isNaN(atMs)) return 0;
  const wholeMs = Math.floor(atMs / 1000) * 1000;
  const shown = new Intl.DateTimeFormat("en-US", {
    timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric",
    hour: "numeric", minute: "numeric", second: "numeric",
  }).formatToParts(wholeMs);
  /** @param {string} type */
  const part = (type) => Number(shown.find((one) => one.type === type)?.value);
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second")) - wholeMs;
}

/** @param {string} zone */
function isZone(zone) {
  try {
    return Boolean(new Intl.DateTimeFormat("en-US", { timeZone: zone }));
  } catch {
    return false;
  }
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, "0");
}
