// @ts-check
/**
 * What became of a card, in the words that can be proven.
 *
 * @typedef {import("./wire.js").Decision} Decision
 * @typedef {import("./wire.js").Question} Question
 * @typedef {import("./wire.js").ToolResult} ToolResult
 * @typedef {"busy" | "done" | "not" | "bad" | "unsure"} Tone
 * @typedef {{ tone: Tone, words: string, note?: string }} Receipt
 * @typedef {{
 *   accept: string, reject: string, save: string, doing: string, done: string, not: string, nothing: string,
 *   found: string, missing: string, unknown: string, look: string, place: string,
 * }} Verbs
 */

/** @type {Record<string, Verbs>} */
const VERBS = {
  send_email: {
    accept: "Send email", reject: "Don’t send", save: "Save & send",
    doing: "Sending…", done: "Sent", not: "Not sent", nothing: "nothing was sent",
    found: "It did go out", missing: "It did not go out, trying again",
    unknown: "Nobody can tell whether it went out", look: "Look in your Sent folder before you ask again",
    place: "your mail",
  },
  create_event: {
    accept: "Create event", reject: "Don’t create", save: "Save & create",
    doing: "Creating…", done: "Created", not: "Not created", nothing: "nothing was created",
    found: "It is on your calendar after all", missing: "It did not get there, trying again",
    unknown: "Nobody can tell whether it was created", look: "Look at your calendar before you ask again",
    place: "your calendar",
  },
  remember: {
    accept: "Remember it", reject: "Don’t keep it", save: "Save & remember",
    doing: "Noting it…", done: "Noted", not: "Not noted", nothing: "nothing was kept",
    found: "It was noted after all", missing: "It was not noted, trying again",
    unknown: "Nobody can tell whether it was noted", look: "Ask what I know before you say it again",
    place: "my memory",
  },
  forget: {
    accept: "Forget it", reject: "Keep it", save: "Save & forget",
    doing: "Letting it go…", done: "Forgotten", not: "Not forgotten", nothing: "nothing was forgotten",
    found: "It was forgotten after all", missing: "It was still there, trying again",
    unknown: "Nobody can tell whether it was forgotten", look: "Ask what I know before you ask again",
    place: "my memory",
  },
};

/** @type {Verbs} */
const ANY_VERBS = {
  accept: "Do it", reject: "Don’t", save: "Save & do it",
  doing: "Doing it…", done: "Done", not: "Not done", nothing: "nothing was done",
  found: "It was done after all", missing: "It did not happen, trying again",
  unknown: "Nobody can tell whether it happened", look: "Have a look before you ask again",
  place: "it",
};

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** @param {Question} question */
export function verbsOf({ action_type }) {
  return Object.hasOwn(VERBS, action_type) ? VERBS[action_type] : ANY_VERBS;
}

/** Nothing has left yet. @param {Question} question @param {Decision} decision @returns {Receipt} */
export function answered(question, decision) {
  if (decision !== "reject") return { tone: "busy", words: "You said yes" };
  const { preview } = question;
  const hasDraft = preview.kind === "email" && preview.has_draft;
  const note = hasDraft ? "The draft is still there" : "";
  return { tone: "not", words: `Declined, ${verbsOf(question).nothing}`, note };
}

/** @param {Question} question @returns {Receipt} */
export function expired(question) {
  return { tone: "not", words: `Expired, ${verbsOf(question).nothing}` };
}

/** @param {Question} question @returns {Receipt} */
export function underWay(question) {
  return { tone: "busy", words: verbsOf(question).doing };
}

/** @param {Question} question @param {ToolResult} result @param {string} ts @returns {Receipt} */
export function landed(question, { ok, state, error, output }, ts) {
  const verbs = verbsOf(question);
  const at = new Date(output?.sent_at ?? output?.created_at ?? ts);
  const time = Number.isNaN(at.getTime()) ? "" : ` ${clock.format(at)}`;
  switch (state ?? (ok ? "confirmed" : "failed_clean")) {
    case "confirmed": return { tone: "done", words: `${verbs.done}${time}` };
    case "reconciled_done": return { tone: "done", words: `${verbs.found}${time && `,${time}`}` };
    case "failed_clean": return { tone: "bad", words: `${verbs.not}: ${reason(error, verbs.place)}` };
    case "reconciled_not_done": return { tone: "busy", words: verbs.missing };
    case "needs_user": return { tone: "unsure", words: verbs.unknown, note: verbs.look };
    default: return { tone: "unsure", words: "Not known yet, checking", note: "It will not be done twice" };
  }
}

/** @param {ToolResult["error"]} error @param {string} place what could not be reached */
function reason(error, place) {
  switch (error?.code) {
    case "unreachable": case "not_reached": case "transient": return `${place} could not be reached`;
    case "writes_paused": return "all changes are paused";
    case "tool_off": return "that is switched off";
    case "lapsed": return "your yes had become too old";
    case "changed": return "it was changed elsewhere meanwhile";
    case "not_allowed": return "permission is missing";
    case "refused": case "rejected_by_provider": return "it was turned down";
    default: return error?.message ?? "it did not work";
  }
}
