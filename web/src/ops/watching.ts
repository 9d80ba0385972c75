/** Keeps the figures fresh for as long as somebody looks at them. */
import { useEffect, useState } from "preact/hooks";
import { overview, Refusal, type Wanted } from "./door.ts";
import type { Overview, Window } from "./figures.ts";

/** A shorter window moves faster. */
const EVERY_MS: Record<Window, number> = { "15m": 5000, "1h": 10_000, "24h": 30_000, "7d": 60_000 };

export type Watched = {
  figures: Overview | null;
  refusal: Refusal | null;
  isStale: boolean;
  again: () => void;
};

export function useFigures({ window, input, tool }: Wanted): Watched {
  const [figures, setFigures] = useState<Overview | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      // Nobody looks at a hidden tab.
      if (!document.hidden) {
        try {
          const told = await overview({ window, input, tool });
          if (isOver) return;
          setFigures(told);
          setRefusal(null);
        } catch (error) {
          if (isOver) return;
          setRefusal(error instanceof Refusal ? error : new Refusal(0, "broken", String(error)));
        }
      }
      if (!isOver) timer = setTimeout(look, EVERY_MS[window]);
    };
    void look();
    const seen = () => !document.hidden && setRound((round) => round + 1);
    document.addEventListener("visibilitychange", seen);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [window, input, tool, round]);
  return {
    figures,
    refusal,
    isStale: refusal !== null && figures !== null,
    again: () => setRound((round) => round + 1),
  };
}
