/**
 * Brings what opens beside the conversation: soon after the page is there, so that it is
 * on this device when somebody wants it, with a connection or without.
 */
import { useEffect, useState } from "preact/hooks";

export type Beside = "none" | "settings" | "memory" | "keys";
type Sheets = typeof import("./sheets.tsx");

const AFTER_MS = 1500;

/** Nothing until they are here. `onMissing`: they were wanted and could not be had. */
export function useSheets(isWanted: boolean, onMissing: () => void): Sheets | null {
  const [sheets, setSheets] = useState<Sheets | null>(null);
  useEffect(() => {
    if (sheets) return;
    const bring = async () => {
      await import("./sheets.tsx").then(setSheets, () => isWanted && onMissing());
      await import("./edit.tsx").catch(() => undefined);
      await import("./ThreadList.tsx").catch(() => undefined);
    };
    const timer = setTimeout(bring, isWanted ? 0 : AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWanted, sheets]);
  return sheets;
}
