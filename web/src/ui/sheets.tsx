/** What opens beside the conversation when somebody asks for it. It comes after the chat itself. */
import { isMemoryPaused } from "../items.ts";
import { forgetPreferences, prefer, prefs } from "../prefs.ts";
import type { Session } from "../session.ts";
import { useAccounts, usePace, type useProfile } from "./known.ts";
import { MemorySheet } from "./MemorySheet.tsx";
import { SettingsSheet } from "./SettingsSheet.tsx";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import type { Beside } from "./useSheets.ts";

export { ConfirmEdit } from "./ConfirmEdit.tsx";
export { FirstRun } from "./FirstRun.tsx";
export { MicMenu } from "./MicMenu.tsx";
export { SignIn } from "./SignIn.tsx";
export { ThreadMenu, ThreadName } from "./ThreadMenu.tsx";
export { ToolMore } from "./ToolMore.tsx";

export type BesideProps = {
  session: Session;
  beside: Exclude<Beside, "none">;
  known: ReturnType<typeof useProfile>;
  onClose(): void;
};

export function BesideChat({ session, beside, known, onClose }: BesideProps) {
  const { pace, setPace } = usePace(session, beside === "settings");
  const accounts = useAccounts(session, beside === "settings");
  const { capabilities } = session.conversation.value;
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
            void session.signOut().then(() => session.tell("Wiped: nothing of yours is kept on this device any more."));
          }}
          onClose={onClose}
        />
      );
    case "memory":
      return (
        <MemorySheet
          house={session.house}
          isPaused={isMemoryPaused(session.conversation.value)}
          onSay={(words) => session.say(words)}
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
