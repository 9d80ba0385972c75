/** What the server knows of the person, asked for when it is there and somebody looks. */
import { useEffect, useState } from "preact/hooks";
import type { Pace, Profile } from "../house.ts";
import { prefer } from "../prefs.ts";
import type { Session } from "../session.ts";

export function useProfile(session: Session) {
  const [profile, setProfile] = useState<Profile | null>(null);
  const isLive = session.isLive.value;
  useEffect(() => {
    if (isLive) session.house.profile().then(setProfile, () => undefined);
  }, [isLive, session]);
  /** Nothing, or why it could not be saved. */
  const saveProfile = async (change: Partial<Profile>): Promise<string> => {
    try {
      setProfile(await session.house.saveProfile({ ...(profile as Profile), ...change, onboarded: true }));
      prefer({ isGreeted: true });
      return "";
    } catch (error) {
      return error instanceof Error ? error.message : "It could not be saved.";
    }
  };
  return { profile, saveProfile };
}

/** Asked for anew whenever somebody looks: "speak slower" changes it, too. */
export function usePace(session: Session, isLookedAt: boolean) {
  const [pace, setPace] = useState<Pace | null>(null);
  useEffect(() => {
    if (isLookedAt) session.house.voice().then(setPace, () => setPace(null));
  }, [isLookedAt, session]);
  const change = (percent: number) =>
    void session.house.setPace(percent).then(setPace, (error: Error) => session.tell(error.message));
  return { pace, setPace: change };
}
