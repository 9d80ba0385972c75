/** One of everything, for the gallery. */
import type { PlanUpdate, Question } from "../../sdk/index.ts";
import type { Attachment } from "../attach.ts";
import type { Profile } from "../house.ts";
import {
  type CardItem,
  type Message,
  type Notice,
  newMessage,
  type PlanItem,
  type ToolUse,
  type Turn,
} from "../items.ts";

const TS = "2026-11-15T14:02:00Z";

export function message(change: Partial<Message>): Message {
  const { id = "msg_1" } = change;
  return { ...newMessage({ message_id: id, turn_id: "turn_1", ts: TS }, "assistant", "settled"), ...change };
}

const ASKED: Omit<Question, "preview" | "payload" | "editable" | "title" | "action_type"> = {
  confirmation_request_id: "cr_1",
  revision: 1,
  action_level: "write",
  tool_name: "gmail.send",
  allowed_decisions: ["accept", "edit", "reject"],
  step: { index: 2, total: 3 },
  expires_at: "2026-11-15T14:12:00Z",
  payload_hash: "ecaf21ad",
  speakable: "Here is the reply to Priya. Ready for it to go out?",
  warnings: [],
  voice: "allow",
};

export const EMAIL: Question = {
  ...ASKED,
  action_type: "send_email",
  title: "Send this reply?",
  preview: {
    kind: "email",
    from: "maya@lindqvist.example",
    to: [{ name: "Priya Nair", address: "priya@brightloom.example", source: "thread" }],
    cc: [{ name: "Tom Okafor", address: "tom@okafor.example", source: "contact" }],
    subject: "Re: Samples for Thursday",
    body_text:
      "Hi Priya,\n\nThursday works. I’ll bring the second batch of the heron and the two finishes you asked about.\n\nCould you send me the parking code before noon? The last one had run out.\n\nAlso, Tom would like ten minutes about the Q4 numbers.\n\nMaya",
    in_reply_to: "Priya Nair, Samples for Thursday",
    has_draft: true,
  },
  payload: {
    to: ["priya@brightloom.example"],
    cc: ["tom@okafor.example"],
    subject: "Re: Samples for Thursday",
    body: "Hi Priya,\n\nThursday works.\n\nMaya",
  },
  editable: [
    { name: "to", label: "To", kind: "people" },
    { name: "cc", label: "Cc", kind: "people" },
    { name: "subject", label: "Subject", kind: "text" },
    { name: "body", label: "Text", kind: "paragraphs" },
  ],
};

export const DOUBTFUL: Question = {
  ...EMAIL,
  confirmation_request_id: "cr_2",
  title: "Send this mail?",
  voice: "readback",
  step: { index: 1, total: 1 },
  warnings: [{ code: "content_recipient", text: "This address stood in a mail. Nobody you know has it." }],
  preview: {
    kind: "email",
    from: "maya@lindqvist.example",
    to: [{ address: "billing@paymnts.example", source: "content" }],
    subject: "Invoice 4471",
    body_text: "<img src=x onerror=alert(1)> **Please** pay [here](https://example.com).",
    has_draft: false,
  },
};

export const EVENT: Question = {
  ...ASKED,
  confirmation_request_id: "cr_3",
  tool_name: "calendar.create_event",
  action_type: "create_event",
  title: "Put this on your calendar?",
  step: { index: 3, total: 3 },
  revision: 2,
  changed: ["start"],
  warnings: [{ code: "time_taken", text: "That time is taken." }],
  preview: {
    kind: "event",
    title: "Design review with Dana and Tom",
    start: "2026-11-19T15:00:00-08:00[America/Los_Angeles]",
    end: "2026-11-19T15:30:00-08:00[America/Los_Angeles]",
    minutes: 30,
    length_assumed: true,
    attendees: [
      { name: "Dana Whitfield", address: "dana.whitfield@brightloom.example", source: "contact" },
      { name: "Tom Okafor", address: "tom@okafor.example", source: "explicit" },
    ],
    location: "Alder Street 14",
    conflicts: ["Dentist, 2:30 to 3:30 pm"],
    free_instead: ["2026-11-19T16:00:00-08:00[America/Los_Angeles]", "2026-11-19T16:30:00-08:00[America/Los_Angeles]"],
  },
  payload: {
    title: "Design review with Dana and Tom",
    start: "2026-11-19T15:00:00-08:00[America/Los_Angeles]",
    end: "2026-11-19T15:30:00-08:00[America/Los_Angeles]",
  },
  editable: [
    { name: "title", label: "What", kind: "text" },
    { name: "start", label: "Starts", kind: "time" },
    { name: "end", label: "Ends", kind: "time" },
  ],
};

const REVIEW = {
  kind: "event" as const,
  title: "Design review: Heron",
  start: "2026-11-20T12:00:00-08:00[America/Los_Angeles]",
  end: "2026-11-20T13:00:00-08:00[America/Los_Angeles]",
  minutes: 60,
  length_assumed: false,
  attendees: [
    { name: "Ana Ruiz", address: "ana.ruiz@brightloom.example", source: "thread" as const },
    { name: "Tom Okafor", address: "tom@okafor.example", source: "thread" as const },
  ],
  location: "The big room",
};

export const MOVE: Question = {
  ...ASKED,
  confirmation_request_id: "cr_8",
  tool_name: "calendar.move_event",
  action_type: "move_event",
  title: "Move this event?",
  step: { index: 1, total: 1 },
  warnings: [{ code: "guests_not_told", text: "Not told by this: Ana Ruiz, Tom Okafor" }],
  preview: {
    ...REVIEW,
    change: {
      moved_from: {
        start: "2026-11-16T15:00:00-08:00[America/Los_Angeles]",
        end: "2026-11-16T16:00:00-08:00[America/Los_Angeles]",
      },
      tells_guests: false,
    },
  },
  payload: { event_id: "design-review", start: REVIEW.start, end: REVIEW.end },
  editable: [
    { name: "start", label: "Starts", kind: "time" },
    { name: "end", label: "Ends", kind: "time" },
  ],
};

export const CANCEL: Question = {
  ...ASKED,
  confirmation_request_id: "cr_9",
  tool_name: "calendar.cancel_event",
  action_type: "cancel_event",
  title: "Cancel this event?",
  step: { index: 1, total: 1 },
  warnings: [{ code: "only_this_one", text: "It repeats; the others stay as they are" }],
  preview: { ...REVIEW, title: "Heron stand-up", change: { repeats: true, tells_guests: false } },
  payload: { event_id: "standup-2026-11-20" },
  allowed_decisions: ["accept", "reject"],
  editable: [],
};

export const MEMORY: Question = {
  ...ASKED,
  confirmation_request_id: "cr_4",
  action_type: "remember",
  title: "Remember this?",
  step: { index: 1, total: 1 },
  preview: {
    kind: "memory",
    text: "Tom is allergic to nuts.",
    forgets: false,
    alike: ["Tom does not eat almonds."],
    derived_from: "a mail from Tom Okafor",
  },
  payload: { memory: "Tom is allergic to nuts." },
  editable: [{ name: "memory", label: "Memory", kind: "paragraphs" }],
};

export const LINES: Question = {
  ...ASKED,
  confirmation_request_id: "cr_5",
  action_type: "reschedule_visit",
  title: "Move this appointment?",
  step: { index: 1, total: 1 },
  preview: {
    kind: "lines",
    lines: [
      { label: "Visit", value: "Spring check, Alder Street 14" },
      { label: "New time", value: "Tuesday, 9:00 to 11:00" },
    ],
  },
  payload: {},
  editable: [],
  allowed_decisions: ["accept", "reject"],
};

export function card(question: Question, change: Partial<CardItem> = {}): CardItem {
  const id = question.confirmation_request_id;
  return {
    kind: "card",
    key: id,
    id,
    turn: "turn_1",
    question,
    isOpen: true,
    answer: null,
    isExpired: false,
    callId: "",
    result: null,
    talkedBy: "",
    ...change,
  };
}

const YES = { decision: "accept", channel: "click", inReplyTo: "", edited: [] } as const;
const result = (state: "confirmed" | "failed_clean" | "maybe_sent" | "needs_user" | "reconciled_done", code = "") => ({
  call_id: "call_1",
  ok: state === "confirmed",
  output: null,
  error: code ? { code, message: code, retryable: false } : null,
  state,
  ts: TS,
});

export const RECEIPTS: CardItem[] = [
  card(EMAIL, { isOpen: false, answer: YES }),
  card(EMAIL, { isOpen: false, answer: YES, result: result("confirmed") }),
  card(EVENT, { isOpen: false, answer: { ...YES, channel: "voice" }, result: result("confirmed") }),
  card(MOVE, { isOpen: false, answer: YES, result: result("confirmed") }),
  card(CANCEL, { isOpen: false, answer: YES, result: result("confirmed") }),
  card(EMAIL, { isOpen: false, answer: { ...YES, decision: "reject" } }),
  card(EMAIL, { isOpen: false, isExpired: true }),
  card(EMAIL, { isOpen: false, answer: YES, result: result("failed_clean", "unreachable") }),
  card(EMAIL, { isOpen: false, answer: YES, result: result("maybe_sent") }),
  card(EMAIL, { isOpen: false, answer: YES, result: result("needs_user") }),
  card(MEMORY, { isOpen: false, answer: YES, result: result("confirmed") }),
];

export function tool(change: Partial<ToolUse>): ToolUse {
  const { id = "call_1" } = change;
  return {
    kind: "tool",
    key: id,
    id,
    turn: "turn_1",
    name: "gmail.search",
    label: "Searching mail for Priya",
    level: "read",
    args: { query: "from:priya", max_results: 10 },
    idempotencyKey: "turn_1.1",
    status: "done",
    message: "",
    progress: 0,
    startedAt: TS,
    endedAt: "2026-11-15T14:02:00.800Z",
    error: "",
    output: { messages: [{ from: { name: "Priya Nair" }, subject: "Samples for Thursday" }] },
    jobId: "",
    ...change,
  };
}

/** For so far ahead that it can always be taken back here. */
export const REMINDER = tool({
  id: "t8",
  name: "reminders.set",
  level: "draft",
  label: "Setting a reminder",
  output: { job_id: "job_2", due_at: "2126-11-16T17:00:00Z" },
});

const STEPS = ["done", "done", "asking", "waiting", "failed", "declined"] as const;
const LABELS = [
  "Searching mail",
  "Drafting a reply",
  "Sending the mail",
  "Adding the meeting",
  "Reading the file",
  "Noting it",
];

export const PLAN: PlanItem = {
  kind: "plan",
  key: "plan_1",
  id: "plan_1",
  turn: "turn_1",
  isOver: false,
  plan: {
    plan_id: "plan_1",
    execution_mode: "backend_orchestrated",
    reason: "any_write",
    steps: [],
    missing_fields: [],
    ambiguity: {},
    progress: STEPS.map((status, at) => ({ step_index: at + 1, status, label: LABELS[at] ?? "" })),
  } satisfies PlanUpdate,
};

export const DONE_PLAN: PlanItem = {
  ...PLAN,
  key: "plan_2",
  isOver: true,
  plan: { ...PLAN.plan, progress: PLAN.plan.progress.map((step) => ({ ...step, status: "done" })) },
};

const SENDERS = ["Priya Nair", "Dana Whitfield", "Sam Whitaker", "Leo Marchetti", "Bernal Branch Library"];
const SUBJECTS = [
  "Re: Q4 numbers, first pass",
  "Board deck, your slide",
  "Heron flickers below 7 %",
  "No hot water at 14 Alder Street, and what the landlord has to say about whose boiler it is",
  "Your hold is ready",
];

/** So many that the last of them stand behind a touch. */
export const MAILS = tool({
  id: "t11",
  label: "Searching unread mail",
  output: {
    messages: [...SENDERS, ...SENDERS, ...SENDERS].map((name, at) => ({
      from: { name },
      subject: SUBJECTS[at % SUBJECTS.length],
    })),
  },
});

export const DAYS = tool({
  id: "t12",
  name: "calendar.list_events",
  label: "Checking your calendar for this week",
  output: {
    events: [
      { title: "Heron stand-up", start: "2026-11-16T09:30:00-08:00[America/Los_Angeles]" },
      { title: "Lunch with Tom", start: "2026-11-16T12:00:00-08:00[America/Los_Angeles]" },
      { title: "Offsite", start: "2026-11-17T00:00:00-08:00[America/Los_Angeles]", all_day: true },
      { title: "Design review: Heron", start: "2026-11-18T15:00:00-08:00[America/Los_Angeles]" },
    ],
  },
});

export const DRAFT = tool({
  id: "t13",
  name: "gmail.draft_reply",
  level: "draft",
  label: "Drafting a reply",
  output: {
    to: [{ name: "Leo Marchetti", address: "leo@marchettiplumbing.example" }],
    subject: "Re: No hot water at 14 Alder Street",
    body: "Hi Leo,\n\nThursday works.\n\nMaya",
  },
});

export function turn(state: Turn["state"], words = ""): Turn {
  return {
    id: "turn_1",
    state,
    words,
    mode: "text",
    begunBy: "",
    follows: "",
    isOver: false,
    isCancelled: false,
    choices: [],
    heardAt: 1,
  };
}

export const NOTICE: Notice = {
  kind: "notice",
  key: "notice_1",
  id: "notice_1",
  turn: "turn_1",
  words: "Your mail could not be reached.",
  ts: TS,
  again: "Any new mail from Priya?",
};

const FILE: Attachment = {
  key: 1,
  name: "contract.pdf",
  bytes: 240_000,
  type: "application/pdf",
  progress: 1,
  id: "file_1",
  problem: "",
  picture: "",
};

/** A heron at dusk, drawn: nothing is asked for elsewhere. */
const HERON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#d8a35c"/><path d="M0 6h8v2H0z" fill="#3c5f58"/><path d="M4 6V3l1.5-1" stroke="#2c2a26" stroke-width=".5" fill="none"/></svg>',
)}`;

export const FILES: readonly Attachment[] = [
  FILE,
  { ...FILE, key: 2, name: "numbers.csv", bytes: 9000, type: "text/csv", progress: 0.4, id: "" },
  { ...FILE, key: 3, name: "IMG_2031.jpg", bytes: 1_900_000, type: "image/jpeg", picture: HERON },
  { ...FILE, key: 4, name: "film.mov", bytes: 90_000_000, progress: 0, id: "", problem: "larger than 25 MB" },
  {
    ...FILE,
    key: 5,
    name: "thing.exe",
    bytes: 900,
    progress: 0,
    id: "",
    problem: "this is neither text nor a picture, a document or sound; save it as a PDF or as plain text",
  },
];

export const MAYA: Profile = {
  name: "Maya Lindqvist",
  time_zone: "Europe/Berlin",
  working_hours: { start: "09:00", end: "17:30", days: ["mon", "tue", "wed", "thu", "fri"] },
  default_meeting_minutes: 30,
  cloud_models: true,
  onboarded: false,
};
