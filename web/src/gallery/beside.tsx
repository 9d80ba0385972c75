/** What opens beside the conversation, one at a time: each covers the page, so each has an address. */
import type { ComponentChildren } from "preact";
import type { Account, House, Memory, Thread } from "../house.ts";
import { prefs } from "../prefs.ts";
import { Composer } from "../ui/Composer.tsx";
import { ConfirmDock } from "../ui/ConfirmDock.tsx";
import { MemorySheet } from "../ui/MemorySheet.tsx";
import { SessionRail } from "../ui/SessionRail.tsx";
import { SettingsSheet } from "../ui/SettingsSheet.tsx";
import { ShortcutSheet } from "../ui/ShortcutSheet.tsx";
import { SignIn } from "../ui/SignIn.tsx";
import { card, DOUBTFUL, EMAIL, MAYA } from "./samples.ts";

const nothing = () => undefined;

function thread(id: string, title: string, daysAgo: number): Thread {
  const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  return {
    thread_id: id,
    title,
    is_named: false,
    sessions: 1,
    messages: 6,
    updated_at: at,
    last_message: null,
    last_session_id: `ses_${id}`,
  };
}

const THREADS = [
  thread("1", "Thursday meeting", 0),
  thread("2", "Invoices that nobody has answered since the beginning of the quarter", 0),
  thread("3", "Trip to Lisbon", 1),
  thread("4", "what meetings do I have tomorrow?", 12),
];

const MEMORIES: Memory[] = [
  {
    memory_id: "1",
    text: "Tom is allergic to nuts",
    created_at: "2026-11-10T09:00:00Z",
    source: { session_id: "ses_1" },
  },
  {
    memory_id: "2",
    text: "The alarm code of the studio changes every first of the month",
    created_at: "2026-10-02T09:00:00Z",
    source: { derived_from: "a mail of Dana Whitfield" },
  },
];

const ACCOUNTS: Account[] = [
  {
    kind: "mail",
    place: "this_server",
    sample: true,
    address: "maya@brightloom.example",
    holds: 57,
    reaches_others: false,
  },
  { kind: "calendar", place: "this_server", sample: true, address: null, holds: 41, reaches_others: false },
];

/** As much of the server as is drawn here. */
const house = {
  threads: async () => ({ threads: THREADS, next: "earlier" }),
  snippets: async () => new Map([["2", "…and the invoice of Paperlane Print is open since March"]]),
  memories: async () => ({ memories: MEMORIES, total: MEMORIES.length }),
} as unknown as House;

const LONG =
  "Tell Priya that Thursday works.\n\nAsk her for the parking code, and whether Tom may join for ten minutes to talk about the Q4 numbers.";

export const BESIDE: Record<string, () => ComponentChildren> = {
  rail: () => (
    <SessionRail
      house={house}
      current="1"
      beat=""
      unsentIn={new Set(["2"])}
      onOpen={nothing}
      onRenamed={nothing}
      onRemoved={nothing}
      onMemory={nothing}
      onSettings={nothing}
      onKeys={nothing}
      onClose={nothing}
    />
  ),
  settings: () => (
    <SettingsSheet
      prefs={prefs.value}
      canHear={true}
      canSpeak={true}
      hasKey={true}
      profile={MAYA}
      accounts={ACCOUNTS}
      onProfile={async () => ""}
      pace={{ percent: 115, slowest: 50, fastest: 200, language: "en" }}
      onPace={nothing}
      onPrefer={nothing}
      onSignOut={nothing}
      onClose={nothing}
    />
  ),
  memory: () => <MemorySheet house={house} isPaused={false} onSay={nothing} onSource={nothing} onClose={nothing} />,
  keys: () => <ShortcutSheet changed={{ mute: "Alt+KeyS" }} onChange={nothing} onClose={nothing} />,
  "sign-in": () => <SignIn why="That key is not valid, or not any more." onKey={nothing} />,
  box: () => (
    <Composer
      placeholder="Message Sayso"
      draft={{ key: "b", text: LONG }}
      files={[]}
      slowDownUntil={0}
      mic={null}
      hint={null}
      onSend={nothing}
      onDraft={nothing}
      onFiles={nothing}
      onDropFile={nothing}
      onDescribeFile={nothing}
    />
  ),
  dock: () => <ConfirmDock cards={[card(EMAIL), card(DOUBTFUL)]} />,
};
