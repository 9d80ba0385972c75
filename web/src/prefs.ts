/** What the person likes: kept on this device, wiped when they sign out. Nothing secret. */
import { signal } from "@preact/signals";
import type { TurnStyle } from "../sdk/index.ts";
import type { Shortcuts } from "./shortcuts.ts";

export type Preferences = {
  theme: "system" | "light" | "dark";
  turnStyle: TurnStyle;
  /** When answers are spoken. */
  voice: "talking" | "always" | "never";
  volume: number;
  /** How spoken text is shown: along with the voice, sentence by sentence, or all of it at once. */
  textMode: "karaoke" | "captions" | "instant";
  cues: boolean;
  /** Read answers out to a screen reader, also while they are spoken. */
  announceReplies: boolean;
  /** What typing does while Sayso works. */
  typing: "interrupt" | "queue";
  micId: string;
  speakerId: string;
  /** Keys that the person has changed. */
  keys: Shortcuts;
  isRailOpen: boolean;
  /** The person has seen the first-run card. */
  isGreeted: boolean;
};

const DEFAULTS: Preferences = {
  theme: "system",
  turnStyle: "auto",
  voice: "talking",
  volume: 1,
  textMode: "karaoke",
  cues: true,
  announceReplies: false,
  typing: "queue",
  micId: "",
  speakerId: "",
  keys: {},
  isRailOpen: true,
  isGreeted: false,
};

/** Answers are read out and not spoken, a key is held to talk, and tones are on. */
export const FOR_A_SCREEN_READER: Partial<Preferences> = {
  announceReplies: true,
  voice: "never",
  turnStyle: "hold",
  cues: true,
};

const NAME = "sayso.preferences";

export const prefs = signal<Preferences>(read());

export function prefer(change: Partial<Preferences>): void {
  prefs.value = { ...prefs.value, ...change };
  if (change.theme) applyTheme();
  try {
    localStorage.setItem(NAME, JSON.stringify(prefs.value));
  } catch {
    // Then they are kept for as long as the page is open.
  }
}

export function forgetPreferences(): void {
  prefs.value = DEFAULTS;
  applyTheme();
  try {
    localStorage.removeItem(NAME);
  } catch {
    // There was nothing.
  }
}

/** Before the first picture, so that nothing flashes. */
export function applyTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = prefs.value.theme === "system" ? (dark.matches ? "dark" : "light") : prefs.value.theme;
  const page = document.documentElement;
  page.dataset.theme = theme;
  // The browser's own frame goes with it.
  const paper = getComputedStyle(page).getPropertyValue("--paper");
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) meta.content = paper;
}

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}
