/** What happened to sound: who was loud when, what was turned down or cut, how evenly it came. */
import type { Envelope } from "../../sdk/wire.gen.ts";
import type { Frame } from "./tape.ts";

/** A stretch in which the voice was turned down, and what it was in the end. */
export type Hush = { from: number; to: number; kind: "interruption" | "backchannel" | "open" };

export function hushesOf(frames: readonly Frame[], now: number): Hush[] {
  const hushes: Hush[] = [];
  let from: number | null = null;
  for (const { way, at, body } of frames) {
    const event = body as Envelope;
    if (way !== "in") continue;
    if (event.event_type === "assistant_audio.level") {
      if (event.payload.gain < 1) from ??= at;
      else if (from !== null) {
        hushes.push({ from, to: at, kind: "backchannel" });
        from = null;
      }
    }
    const isCut = event.event_type === "assistant_audio.end" && event.payload.interrupted;
    if (isCut) {
      hushes.push({ from: from ?? at, to: at, kind: "interruption" });
      from = null;
    }
  }
  if (from !== null) hushes.push({ from, to: now, kind: "open" });
  return hushes;
}

/** How unevenly sound came, in milliseconds, as RFC 3550 smooths it; nothing before two pieces. */
export function jitterOf(frames: readonly Frame[]): number | undefined {
  let jitter: number | undefined;
  let last: { at: number; start: number; message: string } | null = null;
  for (const { at, body } of frames) {
    const event = body as Envelope;
    if (event.event_type !== "assistant_audio.chunk") continue;
    const piece = { at, start: event.payload.start_ms, message: event.message_id ?? "" };
    if (last && last.message === piece.message) {
      const off = Math.abs(piece.at - last.at - (piece.start - last.start));
      jitter = jitter === undefined ? off / 16 : jitter + (off - jitter) / 16;
    }
    last = piece;
  }
  return jitter;
}
