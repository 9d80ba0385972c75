/**
 * The inspector stays away until somebody wants it: with `?debug` in the address, or
 * where the server's settings say so. Only this file is part of the chat itself.
 */
import type { Sayso } from "../../sdk/index.ts";

const NAME = "sayso.debug";

/** Once asked for, it stays for this tab. A server that wants it marks the page with `data-debug`. */
export function isWanted(address = location.href): boolean {
  if (document.documentElement.dataset.debug !== undefined) return true;
  const isAsked = new URL(address).searchParams.has("debug");
  if (isAsked) sessionStorage.setItem(NAME, "1");
  return isAsked || sessionStorage.getItem(NAME) === "1";
}

/** Records from now on; Ctrl/⌘ and . opens the drawer. */
export async function bring(sayso: Sayso): Promise<void> {
  const { attach } = await import("./inspector.tsx");
  attach(sayso);
}
