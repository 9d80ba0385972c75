/** What people were asked, and what they said. */
import { count, time, words } from "../watch/units.ts";
import { Bars, Facts } from "./Facts.tsx";
import type { Confirmations as Told } from "./figures.ts";
import { Section } from "./Section.tsx";

const CHANNELS: Record<string, string> = {
  click: "By tap",
  key: "By key",
  voice: "By voice",
  text: "Typed",
  api: "By program",
};

export function Confirmations({ told }: { told: Told | undefined }) {
  if (!told) {
    return (
      <Section title="Confirmations" note="Nobody was asked in this window">
        {null}
      </Section>
    );
  }
  const outcomes = [
    { name: "Accepted", value: told.accepted, tone: "good" },
    { name: "Rejected", value: told.rejected, tone: "plain" },
    { name: "Expired", value: told.expired, tone: "warn" },
    { name: "Waiting", value: told.waiting, tone: "faint" },
  ] as const;
  const channels = Object.entries(told.by_channel).map(([name, value]) => ({
    name: CHANNELS[name] ?? words(name),
    value,
    tone: "good" as const,
  }));
  return (
    <Section
      title="Confirmations"
      note={`${count(told.requested)} requested, ${count(told.edited)} changed before they were decided`}
    >
      <Bars label="By outcome" bars={outcomes} />
      {channels.length > 0 && <Bars label="By channel" bars={channels} />}
      <Facts
        facts={[
          { name: "Median decision time", value: time(told.decision?.p50_us) },
          { name: "p95", value: time(told.decision?.p95_us) },
        ]}
      />
    </Section>
  );
}
