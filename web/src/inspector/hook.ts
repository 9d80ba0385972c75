/**
 * The inspector stays away until somebody wants it: with `?debug` in the address, or
 * where the server's settings say so. Only this file is part of the chat itself.
 */
import type { Sayso } from "../../sdk/index.ts";

const NAME = "sayso.debug";

let brought: Promise<typeof import("./inspector.tsx")> | null = null;

/** Once asked for, it stays for this tab. A server that wants it marks the page with `data-debug`. */
export function isWanted(address = location.href): boolean {
  if (document.documentElement.dataset.debug !== undefined) return true;
  const isAsked = new URL(address).searchParams.has("debug");
  if (isAsked) sessionStorage.setItem(NAME, "1");
  return isAsked || sessionStorage.getItem(NAME) === "1";
}

/** Records from now on, where it is wanted. */
export async function bringInspector(sayso: Sayso): Promise<void> {
  if (!isWanted()) return;
  brought ??= import("./inspector.tsx");
  (await brought).attach(sayso);
}

/** Opens the drawer or closes it; nothing where it is not wanted. */
export function toggleInspector(): void {
  void brought?.then(({ toggle }) => toggle());
}
