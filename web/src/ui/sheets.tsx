/** What opens beside the conversation when somebody asks for it. It comes after the chat itself. */
import { useEffect, useMemo } from "preact/hooks";
import { isMemoryPaused } from "../items.ts";
import { forgetPreferences, prefer, prefs } from "../prefs.ts";
import { Progress } from "../progress.ts";
import type { Session } from "../session.ts";
import type { useProfile } from "./known.ts";
import { useAccounts, usePace } from "./lookedAt.ts";
import { MemorySheet } from "./MemorySheet.tsx";
import { SettingsSheet } from "./SettingsSheet.tsx";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import type { Beside } from "./useSheets.ts";

export { DropZone } from "./DropZone.tsx";
export { checksOf, FirstRun } from "./FirstRun.tsx";
export { MicMenu } from "./MicMenu.tsx";
export { summary } from "./results.tsx";
export { SignIn } from "./SignIn.tsx";
export { ThreadMenu, ThreadName } from "./ThreadMenu.tsx";
export { ToolMore } from "./ToolMore.tsx";

/** How far the turn is, for those who do not see it. */
export function Told({ session }: { session: Session }) {
  const progress = useMemo(() => new Progress(), []);
  const turn = session.telling.value;
  useEffect(() => progress.see(turn), [progress, turn?.id, turn?.state, turn?.words]);
  return null;
}

export type BesideProps = {
  session: Session;
  beside: Exclude<Beside, "none">;
  known: ReturnType<typeof useProfile>;
  onClose(): void;
};

export function BesideChat({ session, beside, known, onClose }: BesideProps) {
  const { pace, setPace } = usePace(session, beside === "settings");
  const accounts = useAccounts(session, beside === "settings");
  const capabilities = session.capabilities.value;
  switch (beside) {
    case "settings":
      return (
        <SettingsSheet
          prefs={prefs.value}
          canHear={capabilities?.hears ?? false}
          canSpeak={capabilities?.speaks ?? false}
          hasKey={session.sayso.door.hasKey}
          pace={pace}
          profile={known.profile}
          accounts={accounts}
          onProfile={known.saveProfile}
          onPace={setPace}
          onPrefer={prefer}
          onSignOut={() => {
            onClose();
            forgetPreferences();
            void session
              .signOut()
              .then((isWiped) =>
                session.tell(
                  isWiped
                    ? "Wiped: nothing of yours is kept on this device any more."
                    : "Something could not be wiped. Clear the data of this page in your browser’s settings.",
                ),
              );
          }}
          onClose={onClose}
        />
      );
    case "memory":
      return (
        <MemorySheet
          house={session.house}
          isPaused={isMemoryPaused(session.conversation.value)}
          onSay={(words) => void session.say(words)}
          onSource={(id) => {
            onClose();
            void session.openSession(id);
          }}
          onClose={onClose}
        />
      );
    case "keys":
      return <ShortcutSheet changed={prefs.value.keys} onChange={(keys) => prefer({ keys })} onClose={onClose} />;
  }
}
