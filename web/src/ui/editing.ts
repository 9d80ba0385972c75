/** The fields of a card while somebody changes them: what they hold, what is wrong, what is sent. Pure. */
import type { Field, Question } from "../../sdk/index.ts";
import { readZoned, shiftLocal, wallClock, zoned } from "../zoned.ts";

const LOOKS_LIKE_AN_ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** `zone`: of a time, whose clocks it is told on. */
export type Entry = { field: Field; was: unknown; shown: string; text: string; zone: string; problem: string };

export function entriesOf({ editable, payload }: Question): Entry[] {
  return editable.map((field) => {
    const was = payload[field.name];
    const shown = asText(field, was);
    return { field, was, shown, text: shown, zone: zoneOf(field, was), problem: "" };
  });
}

/** What somebody else changed meanwhile shows, except where something was written here. */
export function rebase(entries: readonly Entry[], { payload }: Question): Entry[] {
  return entries.map((entry) => {
    const was = payload[entry.field.name];
    const shown = asText(entry.field, was);
    const isUntouched = entry.text === entry.shown && entry.zone === zoneOf(entry.field, entry.was);
    return isUntouched
      ? { ...entry, was, shown, text: shown, zone: zoneOf(entry.field, was) }
      : { ...entry, was, shown };
  });
}

/** Moving the start moves the end along. */
export function write(entries: readonly Entry[], name: string, text: string): Entry[] {
  const before = entries.find(({ field }) => field.name === name);
  const byMs =
    name === "start" && before?.field.kind === "time" ? wallClock(text) - wallClock(before.text) : Number.NaN;
  return entries.map((entry) => {
    if (entry.field.name === name) return { ...entry, text, problem: "" };
    const isMoved = entry.field.name === "end" && entry.field.kind === "time" && entry.text && !Number.isNaN(byMs);
    return isMoved ? { ...entry, text: shiftLocal(entry.text, byMs) } : entry;
  });
}

/** The same times on the clocks of another zone. */
export function writeZone(entries: readonly Entry[], zone: string): Entry[] {
  return entries.map((entry) => (entry.zone ? { ...entry, zone, problem: "" } : entry));
}

export function checked(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => ({ ...entry, problem: problemOf(entry, entries) }));
}

/** The fields that are to be different. A start without its end would be half a change. */
export function changes(entries: readonly Entry[]): Record<string, unknown> {
  const changed = entries.filter((entry) => JSON.stringify(valueNow(entry)) !== JSON.stringify(entry.was));
  const isMoved = changed.some(({ field }) => field.kind === "time");
  const sent = entries.filter((entry) => changed.includes(entry) || (isMoved && entry.field.kind === "time"));
  return Object.fromEntries(sent.map((entry) => [entry.field.name, valueNow(entry)]));
}

/** A card that comes back after somebody changed it: because of what they changed, or because of more than that. */
export function secondLook(changed: readonly string[], edited: readonly string[]): string {
  return changed.every((name) => edited.includes(name))
    ? "Your change needs a second look. Nothing has happened yet."
    : "Please check it once more: something besides your change is different.";
}

/** Something stands there that would be lost. */
export function isChanged(entries: readonly Entry[]): boolean {
  return entries.some(({ field, was, shown, text, zone }) => text !== shown || zone !== zoneOf(field, was));
}

/** What goes to the server; untouched fields go as they came. */
function valueNow({ field, was, shown, text, zone }: Entry): unknown {
  if (text === shown && zone === zoneOf(field, was)) return was;
  if (field.kind === "people") return addresses(text);
  return zone ? (zoned(text, zone)?.text ?? "") : text;
}

function zoneOf({ kind }: Field, value: unknown): string {
  return kind === "time" ? (readZoned(value)?.zone ?? "") : "";
}

function problemOf(entry: Entry, all: readonly Entry[]): string {
  const { field, text } = entry;
  const value = valueNow(entry);
  if (field.kind === "people") return problemOfPeople(field.name, addresses(text));
  if (field.kind === "time") {
    if (!text || !value) return "This needs a day and a time.";
    const [start, end] = ["start", "end"].map((name) => {
      const one = all.find((other) => other.field.name === name);
      return one ? readZoned(valueNow(one)) : null;
    });
    return field.name === "end" && start && end && end.atMs <= start.atMs ? "It must end after it starts." : "";
  }
  const isNeeded = field.name === "body" || field.name === "title";
  return isNeeded && !text.trim() ? "This can’t be empty." : "";
}

function problemOfPeople(name: string, ones: string[]): string {
  const wrong = ones.find((one) => !LOOKS_LIKE_AN_ADDRESS.test(one));
  if (wrong) return `“${wrong}” is not an address.`;
  return name === "to" && !ones.length ? "It has to go to somebody." : "";
}

function asText({ kind }: Field, value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  if (kind === "time") return readZoned(value)?.local ?? String(value ?? "");
  return String(value ?? "");
}

/** "Priya Nair <priya@example.com>" counts too. */
function addresses(text: string): string[] {
  const ones = text.split(/[,;\n]/).map((one) => (/<([^>]*)>/.exec(one)?.[1] ?? one).trim());
  return ones.filter(Boolean);
}

/** A field may be called what another part of the card is called. */
export function fieldId(card: string, name: string): string {
  return `${card}-field-${name}`;
}
