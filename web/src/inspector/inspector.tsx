/** Puts a tape beside a client and a drawer beside the chat. */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { Sayso } from "../../sdk/index.ts";
import { Drawer } from "./Drawer.tsx";
import { Tape } from "./tape.ts";

const isOpen = signal(false);
let returnTo: Element | null = null;

export function attach(sayso: Sayso): Tape {
  const tape = record(sayso);
  const root = document.createElement("div");
  document.body.append(root);
  render(
    <Drawer tape={tape} isOpen={isOpen} roundTrip={() => sayso.link.roundTripMs} onClose={() => toggle(false)} />,
    root,
  );
  return tape;
}

export function toggle(open = !isOpen.value): void {
  if (open) returnTo = document.activeElement;
  isOpen.value = open;
  document.documentElement.toggleAttribute("data-inspector", open);
  if (!open && returnTo instanceof HTMLElement) returnTo.focus();
}

function record(sayso: Sayso): Tape {
  const tape = new Tape();
  sayso.on("event", (envelope) => tape.heard(envelope));
  sayso.on("sent", (frame) => tape.sent(frame));
  sayso.on("heard", (loudest) => tape.loud("heard", loudest));
  sayso.on("spoken", ({ position, loudest }) => {
    tape.began(position.message);
    tape.loud("spoken", loudest);
  });
  sayso.on("stalled", () => tape.stalled());
  sayso.on("soundLost", () => tape.lost());
  return tape;
}
