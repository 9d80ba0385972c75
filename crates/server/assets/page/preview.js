// @ts-check
/**
 * What would be done, drawn so that it can be checked at a glance, and said in
 * one line. Every word comes from the card; nothing is guessed here.
 *
 * @typedef {import("./wire.js").Question} Question
 * @typedef {import("./wire.js").Recipient} Recipient
 * @typedef {import("./wire.js").EmailPreview} EmailPreview
 * @typedef {import("./wire.js").EventPreview} EventPreview
 * @typedef {import("./zoned.js").Zoned} Zoned
 * @typedef {import("./wire.js").MemoryPreview} MemoryPreview
 * @typedef {{ row(label: string, fields: string[], ...content: (Node | string)[]): void, has(...fields: string[]): boolean }} Sheet
 */

import { make, makeButton, makeIcon } from "./parts.js";
import { readZoned, spelledOut } from "./zoned.js";

/** Where an address comes from. @type {Record<Recipient["source"], string>} */
const ORIGINS = {
  explicit: "you named them",
  contact: "contact",
  thread: "this thread",
  content: "from a text",
  unknown: "not known",
};

const ICONS = {
  email: "M4 6h16v12H4zm0 1 8 6 8-6",
  event: "M5 6h14v14H5zm0 5h14M9 3v5m6-5v5",
  memory: "M7 4h10v16l-5-4-5 4z",
  lines: "M6 4h12v16H6zm3 5h6m-6 4h6",
};

/** @param {Question} question */
export function iconOf({ preview }) {
  return makeIcon(ICONS[preview.kind] ?? ICONS.lines);
}

/** @param {Question} question */
export function drawPreview({ preview, changed = [] }) {
  const rows = make("dl", "rows");
  const box = make("div", "preview", rows);
  /** @type {Sheet} */
  const sheet = {
    has: (...fields) => fields.some((field) => changed.includes(field)),
    row(label, fields, ...content) {
      const value = make("dd", "", ...content);
      if (sheet.has(...fields)) value.append(make("span", "changed", "changed"));
      rows.append(make("div", "row", make("dt", "", label), value));
    },
  };
  if (preview.kind === "email") box.append(...email(preview, sheet));
  else if (preview.kind === "event") event(preview, sheet);
  else if (preview.kind === "memory") box.prepend(memory(preview, sheet));
  else for (const { label, value } of preview.lines) sheet.row(label, [], value);
  return box;
}

/** @param {EmailPreview} mail @param {Sheet} sheet */
function email({ from, to, cc = [], subject, body_text, in_reply_to }, sheet) {
  if (from) sheet.row("From", [], make("span", "address", from));
  sheet.row("To", ["to"], people(to));
  if (cc.length || sheet.has("cc")) sheet.row("Cc", ["cc"], people(cc));
  sheet.row("Subject", ["subject"], subject ? make("span", "subject", subject) : nothing("None"));
  if (in_reply_to) sheet.row("In reply to", [], in_reply_to);
  return [letter(body_text, sheet.has("body"))];
}

/** The first lines, and the rest at a touch. @param {string} text @param {boolean} hasChanged */
function letter(text, hasChanged) {
  const words = make("div", "letter-words", text);
  words.dir = "auto";
  const more = makeButton("text-button", "Show all", () => {
    const isShort = words.classList.toggle("is-short");
    more.textContent = isShort ? "Show all" : "Show less";
    more.ariaExpanded = String(!isShort);
  });
  words.classList.add("is-short");
  more.hidden = true;
  new ResizeObserver(() => {
    if (words.classList.contains("is-short")) more.hidden = words.scrollHeight <= words.clientHeight + 1;
  }).observe(words);
  return make("div", "letter", words, more, ...(hasChanged ? [make("span", "changed", "changed")] : []));
}

/** @param {EventPreview} event @param {Sheet} sheet */
function event({ title, start, end, minutes, length_assumed, attendees, location, conflicts = [], free_instead = [] }, sheet) {
  sheet.row("What", ["title"], make("span", "subject", title));
  sheet.row("When", ["start", "end"], when(start, end));
  const assumed = length_assumed ? [make("span", "assumed", "assumed")] : [];
  sheet.row("How long", [], lengthWords(minutes), ...assumed);
  if (attendees.length || sheet.has("attendees")) sheet.row("With", ["attendees"], people(attendees));
  if (location || sheet.has("location")) sheet.row("Where", ["location"], location || nothing("Not said"));
  if (conflicts.length) sheet.row("Already on", [], make("ul", "conflicts", ...conflicts.map((one) => make("li", "", one))));
  const free = free_instead.map(readZoned).filter((at) => at !== null);
  if (free.length) sheet.row("Free instead", [], make("span", "instead", ...free.map(instead)));
}

/** Changes the card as words would; it still waits for a yes. @param {Zoned} at */
function instead({ local }) {
  const [hour, minute] = local.slice(11).split(":").map(Number);
  const clock = `${((hour + 11) % 12) + 1}:${String(minute).padStart(2, "0")} ${hour < 12 ? "am" : "pm"}`;
  const button = makeButton("instead-time", clock, () => {
    button.dispatchEvent(new CustomEvent("say", { bubbles: true, detail: `make it ${clock}` }));
  });
  return button;
}

/** All of it, what goes with it, whose words they are, and what is known already. @param {MemoryPreview} memory @param {Sheet} sheet */
function memory({ text, alike = [], also = [], derived_from }, sheet) {
  if (also.length) sheet.row("And", [], make("ul", "conflicts", ...also.map((one) => make("li", "", one))));
  if (derived_from) sheet.row("From", [], make("span", "", derived_from));
  if (alike.length) sheet.row("Known", [], make("ul", "conflicts", ...alike.map((one) => make("li", "", one))));
  return letter(text, sheet.has("memory"));
}

/** @param {string} start @param {string} end */
function when(start, end) {
  const [from, to] = [readZoned(start), readZoned(end)];
  if (!from || !to) return `${start} – ${end}`;
  const { day, times, zone, here } = spelledOut(from, to);
  const apart = here ? [make("span", "zone", here)] : [];
  return make("span", "when", make("span", "", day), make("strong", "", times), make("span", "zone", zone), ...apart);
}

/** @param {number} minutes */
function lengthWords(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours ? `${hours} h` : "", rest || !hours ? `${rest} min` : ""].filter(Boolean).join(" ");
}

/** @param {Recipient[]} ones */
function people(ones) {
  return ones.length ? make("ul", "people", ...ones.map(person)) : nothing("Nobody");
}

/** @param {string} words */
function nothing(words) {
  return make("span", "nothing", words);
}

/** @param {Recipient} one */
function person({ name, address, source }) {
  const isDoubtful = source === "content" || source === "unknown";
  const origin = make("span", "origin", isDoubtful ? "⚠ " : "", ORIGINS[source] ?? source);
  const chip = make("li", isDoubtful ? "person is-doubtful" : "person");
  if (name) chip.append(make("span", "person-name", name), " ");
  chip.append(make("span", "address", address), " ", origin);
  return chip;
}

/** "Priya Nair and 2 more". @param {Recipient[]} ones */
function called(ones) {
  const [first, ...more] = ones.map(({ name, address }) => name || address);
  return first && more.length ? `${first} and ${more.length} more` : first ?? "nobody";
}

/** The question in a few words: "Send to Priya Nair?" @param {Question} question */
export function shortQuestion({ preview, title }) {
  if (preview.kind === "email") return `Send to ${called(preview.to)}?`;
  if (preview.kind === "event") return `Create “${preview.title}”?`;
  if (preview.kind === "memory") return `${preview.forgets ? "Forget" : "Remember"} “${preview.text}”?`;
  return title;
}

/** What it is about, on one line. @param {Question} question */
export function gist({ preview }) {
  if (preview.kind === "email") return [`To ${called(preview.to)}`, preview.subject].filter(Boolean).join(" · ");
  if (preview.kind === "memory") return preview.text;
  if (preview.kind === "lines") return preview.lines.map(({ value }) => value).join(" · ");
  const [from, to] = [readZoned(preview.start), readZoned(preview.end)];
  const spelled = from && to ? spelledOut(from, to) : null;
  return spelled ? `${preview.title} · ${spelled.day}, ${spelled.times}` : preview.title;
}
