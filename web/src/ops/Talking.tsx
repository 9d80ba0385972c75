/** How talking and hearing went. */
import { count, share, time } from "../watch/units.ts";
import { Facts } from "./Facts.tsx";
import type { Overview } from "./figures.ts";
import { Section } from "./Section.tsx";

export function Talking({ figures: { drift, turns, dedupe_hits, since_start: since } }: { figures: Overview }) {
  return (
    <Section title="Talking" note="In this window, and since the server began">
      <Facts
        facts={[
          { name: "Turns stopped", value: count(turns.cancelled), hint: "work given up on request, in this window" },
          { name: "Asked again, done once", value: count(dedupe_hits) },
          {
            name: "Transcript drift",
            value: share(drift?.p50_permille),
            hint: drift ? `p95 ${share(drift.p95_permille)} of ${count(drift.turns)} spoken` : "nobody has spoken",
          },
          {
            name: "Voice talked over",
            value: count(since.barge_ins),
            hint: "answers cut short, whether or not work was stopped; since start",
          },
          { name: "Utterances", value: count(since.utterances), hint: "since start" },
          { name: "Phantom turns", value: count(since.unheard_turns), hint: "heard, and nothing in it; since start" },
          { name: "Reconnects", value: count(since.returns), hint: "since start" },
          {
            name: "Resumed",
            value: since.returns ? share(1000 - (1000 * since.returns_anew) / since.returns) : "–",
            hint: since.returns ? "of them, without beginning anew" : "nobody was away",
          },
          {
            name: "Unspoken sentences",
            value: count(since.speech_failures),
            hint: "since start",
            isBad: since.speech_failures > 0,
          },
          {
            name: "Sound dropped",
            value: since.audio_dropped_ms ? time(since.audio_dropped_ms * 1000) : "0",
            hint: "since start",
          },
        ]}
      />
    </Section>
  );
}
