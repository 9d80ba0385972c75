/** What may be said or typed to a card: words that the server takes, for each kind of write. */
import type { Question } from "../../sdk/index.ts";
import { dayOf, readZoned } from "../zoned.ts";

type Words = { yes: string; change: string; no: string };

const SAID: Record<string, Words> = {
  send_email: { yes: "send it", change: "make the subject Lunch", no: "don’t send it" },
  create_event: { yes: "create it", change: "make it ten", no: "don’t create it" },
  remember: { yes: "yes", change: "", no: "don’t keep it" },
  cancel_event: { yes: "yes, cancel it", change: "", no: "no" },
  forget: { yes: "yes, forget it", change: "", no: "keep it" },
};
const ANY: Words = { yes: "yes", change: "", no: "no" };

export function saidTo({ action_type }: Pick<Question, "action_type">): Words {
  return Object.hasOwn(SAID, action_type) ? (SAID[action_type] ?? ANY) : ANY;
}

/** What is worth asking after a no: only what the server can take, and nothing for its own sake. */
export function offersAfterNo({ preview }: Pick<Question, "preview">, now: number): string[] {
  const start = preview.kind === "event" ? readZoned(preview.start) : null;
  return start ? [`When am I free on ${dayOf(start, now)}?`] : [];
}

/** “Say “send it”, “make it ten”, or “don’t send”.” */
export function hintOf(question: Pick<Question, "action_type" | "voice">): string {
  if (question.voice === "readback") return "Said or typed, a yes has to name who it goes to.";
  const { yes, change, no } = saidTo(question);
  const [first, ...rest] = [yes, change, no].filter(Boolean).map((words) => `“${words}”`);
  const said = `Say ${first}${rest.length > 1 ? `, ${rest[0]}, or ${rest[1]}` : ` or ${rest[0]}`}.`;
  return question.voice === "named" ? `${said} A plain “yes” is too little here.` : said;
}
