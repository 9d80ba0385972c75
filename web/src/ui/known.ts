/** Who the person is, asked for when the server is there. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Profile } from "../house.ts";
import { prefer } from "../prefs.ts";
import type { Session } from "../session.ts";

export function useProfile(session: Session) {
  const [profile, setProfile] = useState<Profile | null>(null);
  /** What was saved last, and the savings under way: one change does not undo the one before it. */
  const kept = useMemo(() => ({ profile: null as Profile | null, line: Promise.resolve("") }), [session]);
  const know = (known: Profile) => {
    kept.profile = known;
    setProfile(known);
  };
  const isLive = session.isLive.value;
  useEffect(() => {
    if (isLive) session.house.profile().then(know, () => undefined);
  }, [isLive, session]);
  const save = async (change: Partial<Profile>): Promise<string> => {
    try {
      know(await session.house.saveProfile({ ...(kept.profile as Profile), ...change, onboarded: true }));
      prefer({ isGreeted: true });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "It could not be saved.";
    }
  };
  /** Nothing, or why it could not be saved. */
  const saveProfile = (change: Partial<Profile>): Promise<string> => {
    kept.line = kept.line.then(() => save(change));
    return kept.line;
  };
  return { profile, saveProfile };
}
