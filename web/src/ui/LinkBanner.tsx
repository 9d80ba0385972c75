/** The connection's own axis. A blip is nobody's business; anything longer is said, with what happens to words. */
import { useEffect, useState } from "preact/hooks";
import type { LinkState } from "../../sdk/index.ts";
import { announce } from "../announcer.ts";
import { Button } from "./Button.tsx";
import styles from "./Shell.module.css";

const INVISIBLE_MS = 1500;
const BACK_MS = 2000;

type Props = { link: LinkState; refusal: string; onRetry(): void };

export function LinkBanner({ link, refusal, onRetry }: Props) {
  const [words, setWords] = useState("");
  const [isBack, setBack] = useState(false);
  const wanted = wordsOf(link, refusal);
  useEffect(() => {
    if (!wanted) {
      if (words) {
        setBack(true);
        announce("Back, caught up");
      }
      setWords("");
      return;
    }
    const timer = setTimeout(() => setWords(wanted), words || link === "outdated" ? 0 : INVISIBLE_MS);
    return () => clearTimeout(timer);
  }, [wanted, words, link]);
  useEffect(() => {
    if (words) announce(words);
  }, [words]);
  useEffect(() => {
    if (!isBack) return;
    const timer = setTimeout(() => setBack(false), BACK_MS);
    return () => clearTimeout(timer);
  }, [isBack]);
  if (words) return <Banner words={words} link={link} onRetry={onRetry} />;
  return isBack ? (
    <div class={styles.banner} data-tone="good">
      Back – caught up
    </div>
  ) : null;
}

/** Something stands in for what is usual: told once, and put away by whoever has read it. */
export function StandIn({ words, onRead }: { words: string; onRead(): void }) {
  if (!words) return null;
  return (
    <div class={styles.banner} data-tone="info" role="status">
      <span>{words}</span>
      <Button isSmall looks="quiet" onClick={onRead}>
        All right
      </Button>
    </div>
  );
}

export function Banner({ words, link, onRetry }: { words: string; link: LinkState; onRetry(): void }) {
  return (
    <div class={styles.banner} data-banner>
      <span>{words}</span>
      {link === "outdated" ? (
        <Button isSmall onClick={() => location.reload()}>
          Reload
        </Button>
      ) : (
        link !== "locked" && (
          <Button isSmall looks="quiet" onClick={onRetry}>
            Retry now
          </Button>
        )
      )}
    </div>
  );
}

export function wordsOf(link: LinkState, refusal: string): string {
  switch (link) {
    case "live":
      return "";
    case "outdated":
      return "There is a new version of Sayso. What you wrote is kept.";
    case "locked":
      return "Not signed in. Your words are kept.";
    case "offline":
      return refusal || "Offline. You can keep typing; your words are kept.";
    case "connecting":
      return refusal || "Connecting… your words are kept.";
    case "reconnecting":
      return refusal || "Reconnecting… your words are kept.";
  }
}
