/** What only the settings show, asked for when somebody looks. */
import { useEffect, useState } from "preact/hooks";
import type { Account, Pace } from "../house.ts";
import type { Session } from "../session.ts";
import { Study } from "../study.ts";

/** Asked for anew whenever somebody looks: "speak slower" changes it, too. */
export function usePace(session: Session, isLookedAt: boolean) {
  const [pace, setPace] = useState<Pace | null>(null);
  useEffect(() => {
    if (isLookedAt) new Study(session.house).voice().then(setPace, () => setPace(null));
  }, [isLookedAt, session]);
  const change = (percent: number) =>
    void new Study(session.house).setPace(percent).then(setPace, (error: Error) => session.tell(error.message));
  return { pace, setPace: change };
}

/** Asked for anew whenever somebody looks. */
export function useAccounts(session: Session, isLookedAt: boolean): readonly Account[] | null {
  const [accounts, setAccounts] = useState<readonly Account[] | null>(null);
  useEffect(() => {
    if (isLookedAt) new Study(session.house).accounts().then(setAccounts, () => setAccounts(null));
  }, [isLookedAt, session]);
  return accounts;
}
