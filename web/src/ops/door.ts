/** Asks the server, with an operator's key where one is needed. Only ever reads. */
import { Door, tabPocket } from "../../sdk/door.ts";
import type { Waterfall } from "../watch/waterfall.ts";
import type { AuditLine, Checked, Overview, Window } from "./figures.ts";

const door = new Door(location.href, tabPocket("sayso.key"));

/** A refusal in words for a person, with the server's name for it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function ask(path: string): Promise<Response> {
  const answer = await door.fetch(path).catch(() => {
    throw new Refusal(0, "unreachable", "The server cannot be reached right now.");
  });
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => null)) as { error?: { code: string; message: string } } | null;
  throw new Refusal(
    answer.status,
    told?.error?.code ?? "refused",
    told?.error?.message ?? `The server said ${answer.status}.`,
  );
}

const json = async <T>(path: string): Promise<T> => (await ask(path)).json() as Promise<T>;

export const keepKey = (key: string): void => door.keep(key);

/** Which while, and what of it; empty is all of it. */
export type Wanted = { window: Window; input: string; tool: string };

export function overview({ window, input, tool }: Wanted): Promise<Overview> {
  return json(`/control/summary?${new URLSearchParams({ window, ...(input && { input }), ...(tool && { tool }) })}`);
}

export const turn = (id: string): Promise<Waterfall> => json(`/control/turns/${id}`);

export type Filter = { what: string; tool: string; confirmation: string };

export function auditLines(
  filter: Filter,
  before: number | null,
): Promise<{ lines: AuditLine[]; next: number | null }> {
  const { what, tool, confirmation } = filter;
  const wanted = { ...(what && { what }), ...(tool && { tool }), ...(confirmation && { confirmation }) };
  const search = new URLSearchParams({ limit: "50", ...wanted, ...(before !== null && { before: String(before) }) });
  return json(`/control/audit?${search}`);
}

/** The whole chain, piece by piece; whoever listens hears how far it has come. */
export async function verifyAudit(tell: (checked: Checked) => void): Promise<Checked> {
  let path = "/control/audit/verify";
  for (;;) {
    const checked = await json<Checked>(path);
    tell(checked);
    if (!checked.whole || checked.lines >= checked.of) return checked;
    path = `/control/audit/verify?${new URLSearchParams({ after: String(checked.lines), hash: checked.last_hash })}`;
  }
}

/** The audit as a file, saved by the browser. */
export async function saveAudit(format: "csv" | "jsonl", { what, tool }: Filter): Promise<void> {
  const search = new URLSearchParams({ format, ...(what && { what }), ...(tool && { tool }) });
  const blob = await (await ask(`/control/audit/export?${search}`)).blob();
  save(blob, `sayso-audit.${format}`);
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
