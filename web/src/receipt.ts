/** What became of a card, in the words that can be proven. */
import type { CallError, Question } from "../sdk/index.ts";
import type { KeptEdit } from "./drafts.ts";
import type { CardItem } from "./items.ts";

export type Tone = "busy" | "done" | "not" | "bad" | "unsure";
export type Receipt = { tone: Tone; words: string; note: string };

type Verbs = {
  accept: string;
  reject: string;
  save: string;
  doing: string;
  done: string;
  not: string;
  nothing: string;
  found: string;
  missing: string;
  unknown: string;
  look: string;
  place: string;
};

const VERBS: Record<string, Verbs> = {
  send_email: {
    accept: "Send email",
    reject: "Don’t send",
    save: "Save & send",
    doing: "Sending…",
    done: "Sent",
    not: "Not sent",
    nothing: "nothing was sent",
    found: "It did go out",
    missing: "It did not go out, trying again",
    unknown: "Nobody can tell whether it went out",
    look: "Look in your Sent folder before you ask again",
    place: "your mail",
  },
  create_event: {
    accept: "Create event",
    reject: "Don’t create",
    save: "Save & create",
    doing: "Creating…",
    done: "Created",
    not: "Not created",
    nothing: "nothing was created",
    found: "It is on your calendar after all",
    missing: "It did not get there, trying again",
    unknown: "Nobody can tell whether it was created",
    look: "Look at your calendar before you ask again",
    place: "your calendar",
  },
  cancel_event: {
    accept: "Cancel event",
    reject: "Keep it",
    save: "Save & cancel",
    doing: "Cancelling…",
    done: "Cancelled",
    not: "Not cancelled",
    nothing: "nothing was cancelled",
    found: "It was cancelled after all",
    missing: "It was still there, trying again",
    unknown: "Nobody can tell whether it was cancelled",
    look: "Look at your calendar before you ask again",
    place: "your calendar",
  },
  move_event: {
    accept: "Move event",
    reject: "Leave it",
    save: "Save & move",
    doing: "Moving…",
    done: "Moved",
    not: "Not moved",
    nothing: "nothing was moved",
    found: "It was moved after all",
    missing: "It had not moved, trying again",
    unknown: "Nobody can tell whether it was moved",
    look: "Look at your calendar before you ask again",
    place: "your calendar",
  },
  remember: {
    accept: "Remember it",
    reject: "Don’t keep it",
    save: "Save & remember",
    doing: "Noting it…",
    done: "Noted",
    not: "Not noted",
    nothing: "nothing was kept",
    found: "It was noted after all",
    missing: "It was not noted, trying again",
    unknown: "Nobody can tell whether it was noted",
    look: "Ask what I know before you say it again",
    place: "my memory",
  },
  forget: {
    accept: "Forget it",
    reject: "Keep it",
    save: "Save & forget",
    doing: "Letting it go…",
    done: "Forgotten",
    not: "Not forgotten",
    nothing: "nothing was forgotten",
    found: "It was forgotten after all",
    missing: "It was still there, trying again",
    unknown: "Nobody can tell whether it was forgotten",
    look: "Ask what I know before you ask again",
    place: "my memory",
  },
};

const ANY_VERBS: Verbs = {
  accept: "Do it",
  reject: "Don’t",
  save: "Save & do it",
  doing: "Doing it…",
  done: "Done",
  not: "Not done",
  nothing: "nothing was done",
  found: "It was done after all",
  missing: "It did not happen, trying again",
  unknown: "Nobody can tell whether it happened",
  look: "Have a look before you ask again",
  place: "it",
};

export function verbsOf({ action_type, title }: Pick<Question, "action_type" | "title">): Verbs {
  return Object.hasOwn(VERBS, action_type) ? (VERBS[action_type] ?? ANY_VERBS) : { ...ANY_VERBS, ...namedBy(title) };
}

/** A write that this page does not know is called as its own question calls it: "Move this appointment?" */
function namedBy(title: string): Partial<Verbs> {
  const [, verb] = /^(\p{L}+) (?:this|these|it)\b.*\?$/u.exec(title) ?? [];
  if (!verb) return {};
  const small = verb.toLowerCase();
  return { accept: `${verb} it`, reject: `Don’t ${small} it`, save: `Save & ${small} it` };
}

/** How a closed card is told. `isElsewhere`: somebody answered it in another window, here or on another device, while we looked. */
export function receiptOf(card: CardItem, isElsewhere: boolean, clock: (at: Date) => string): Receipt {
  const verbs = verbsOf(card.question);
  const who = answeredHow(card, isElsewhere);
  if (card.result) return landed(card, verbs, who, clock);
  if (card.isExpired) return { tone: "not", words: `Expired, ${verbs.nothing}`, note: "" };
  if (card.answer?.decision === "reject") {
    const { preview } = card.question;
    const hasDraft = preview.kind === "email" && preview.has_draft;
    const note = [hasDraft ? "The draft is still there" : "", who].filter(Boolean).join(" · ");
    return { tone: "not", words: `Declined, ${verbs.nothing}`, note };
  }
  if (card.answer) return { tone: "busy", words: verbs.doing, note: who };
  return { tone: "not", words: "No longer open", note: "The server does not have it any more" };
}

/** What somebody had written in a card that was decided without it. */
export function unusedIn({ question }: CardItem, kept: KeptEdit | undefined): string {
  const values: Record<string, unknown> = question.payload;
  const written = (kept?.entries ?? []).filter(
    ({ field, text, shown }) => text !== shown && ![values[field.name]].flat().join("\n").startsWith(text.trim()),
  );
  return written.map(({ field, text }) => (written.length > 1 ? `${field.label}: ${text}` : text)).join("\n");
}

function landed(card: CardItem, verbs: Verbs, who: string, clock: (at: Date) => string): Receipt {
  const { ok = false, state, error = null, output, ts = "" } = card.result ?? {};
  const times = (output ?? {}) as { sent_at?: string; created_at?: string };
  const at = new Date(times.sent_at ?? times.created_at ?? ts);
  const time = Number.isNaN(at.getTime()) ? "" : clock(at);
  switch (state ?? (ok ? "confirmed" : "failed_clean")) {
    case "confirmed":
      return { tone: "done", words: [verbs.done, time].filter(Boolean).join(" "), note: who };
    case "reconciled_done":
      return { tone: "done", words: [verbs.found, time].filter(Boolean).join(", "), note: who };
    case "failed_clean":
      return { tone: "bad", words: `${verbs.not}: ${reason(error, verbs.place)}`, note: who };
    case "reconciled_not_done":
      return { tone: "busy", words: verbs.missing, note: who };
    case "needs_user":
      return { tone: "unsure", words: verbs.unknown, note: verbs.look };
    default:
      return { tone: "unsure", words: "Not known yet, checking", note: "It will not be done twice" };
  }
}

/** Who said so. What is replayed may have been said here, so nothing is claimed of it. */
function answeredHow({ answer }: CardItem, isElsewhere: boolean): string {
  if (!answer) return "";
  if (isElsewhere) return "Answered in another window";
  if (answer.channel === "voice") return answer.decision === "reject" ? "You said no aloud" : "You said yes aloud";
  if (answer.channel === "api") return "Answered from another program";
  if (answer.decision === "reject") return "";
  return answer.decision === "edit" ? "You changed it and said yes" : "";
}

function reason(error: CallError | null, place: string): string {
  switch (error?.code) {
    case "unreachable":
    case "not_reached":
    case "transient":
      return `${place} could not be reached`;
    case "writes_paused":
      return "all changes are paused";
    case "tool_off":
      return "that is switched off";
    case "lapsed":
      return "your yes had become too old";
    case "changed":
      return "it was changed elsewhere meanwhile";
    case "not_found":
      return "it is not there any more";
    case "not_allowed":
      return "permission is missing";
    case "refused":
    case "rejected_by_provider":
      return "it was turned down";
    default:
      return error?.message ?? "it did not work";
  }
}
