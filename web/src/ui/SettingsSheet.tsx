/** How the person likes it, and who they are. Everything takes effect at once. */
import { useState } from "preact/hooks";
import type { Account, Pace, Profile } from "../house.ts";
import { FOR_A_SCREEN_READER, type Preferences } from "../prefs.ts";
import { AboutYou } from "./AboutYou.tsx";
import { Accounts } from "./Accounts.tsx";
import { Button } from "./Button.tsx";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";
import { Group, Sheet, Toggle } from "./Sheet.tsx";

type Props = {
  prefs: Preferences;
  canHear: boolean;
  canSpeak: boolean;
  hasKey: boolean;
  /** How fast the server speaks to this person; nothing while it has not said. */
  pace: Pace | null;
  /** What the server knows of them; nothing while it has not said. */
  profile: Profile | null;
  /** The mail and the calendar that it works with; nothing while it has not said. */
  accounts: readonly Account[] | null;
  onProfile(change: Partial<Profile>): Promise<string>;
  onPace(percent: number): void;
  onPrefer(change: Partial<Preferences>): void;
  onSignOut(): void;
  onClose(): void;
};

export function SettingsSheet(props: Props) {
  const { prefs, canHear, canSpeak, hasKey, pace, onPrefer, onSignOut, onClose } = props;
  return (
    <Sheet title="Settings" onClose={onClose}>
      {props.profile && <AboutYou profile={props.profile} onChange={props.onProfile} />}
      {canSpeak && (
        <Group title="Voice">
          <Pick
            label="Answers are spoken"
            value={prefs.voice}
            options={{ talking: "While I talk", always: "Always", never: "Never" }}
            onPick={(voice) => onPrefer({ voice })}
          />
          <Pick
            label="Text while speaking"
            value={prefs.textMode}
            options={{ karaoke: "Follows the voice", captions: "Sentence by sentence", instant: "All at once" }}
            onPick={(textMode) => onPrefer({ textMode })}
          />
          <div class={styles.setting}>
            <label class={styles.settingWords} for="volume">
              Volume
            </label>
            <input
              id="volume"
              type="range"
              min="0.2"
              max="1"
              step="0.1"
              value={prefs.volume}
              aria-valuetext={`${Math.round(prefs.volume * 100)} percent`}
              onInput={({ currentTarget }) => onPrefer({ volume: Number(currentTarget.value) })}
            />
          </div>
          {pace && <Speed pace={pace} onPace={props.onPace} />}
        </Group>
      )}
      <Group title="Talking and typing">
        {canHear && (
          <Pick
            label="When I’m done talking"
            value={prefs.turnStyle}
            options={{ auto: "A pause decides", hold: "I hold a key", tap: "I tap" }}
            onPick={(turnStyle) => onPrefer({ turnStyle })}
          />
        )}
        {canHear && pace && (
          <div class={styles.setting}>
            <div class={styles.settingWords}>
              Language when I talk
              <p>{pace.language ? "Others need a service that understands them." : "Whatever you speak."}</p>
            </div>
            <span data-language={pace.language}>{languageName(pace.language)}</span>
          </div>
        )}
        <Pick
          label="Typing while Sayso works"
          value={prefs.typing}
          options={{ queue: "Waits its turn", interrupt: "Interrupts" }}
          onPick={(typing) => onPrefer({ typing })}
        />
        <Toggle
          label="Small sounds"
          note="A tone when I listen, and when a card waits."
          isOn={prefs.cues}
          onTurn={(cues) => onPrefer({ cues })}
        />
      </Group>
      <Group title="Look">
        <Pick
          label="Colours"
          value={prefs.theme}
          options={{ system: "As the system", light: "Light", dark: "Dark" }}
          onPick={(theme) => onPrefer({ theme })}
        />
      </Group>
      <Group title="Screen reader">
        <Toggle
          label="Read answers out"
          note="Also while they are spoken."
          isOn={prefs.announceReplies}
          onTurn={(announceReplies) => onPrefer({ announceReplies })}
        />
        <div class={styles.setting}>
          <p class={styles.settingWords}>
            Answers are read out and not spoken, you hold a key to talk, and tones are on.
          </p>
          <Button isSmall onClick={() => onPrefer(FOR_A_SCREEN_READER)}>
            Set up for a screen reader
          </Button>
        </div>
      </Group>
      {props.accounts && <Accounts accounts={props.accounts} />}
      <Group title="This device">
        <Wipe label={hasKey ? "Sign out and wipe" : "Wipe this device"} onWipe={onSignOut} />
      </Group>
    </Sheet>
  );
}

/** Asked twice: what was not sent yet is gone with it. */
function Wipe({ label, onWipe }: { label: string; onWipe(): void }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <div class={styles.setting}>
      <p class={styles.settingWords} role={isAsked ? "alert" : undefined}>
        {isAsked
          ? "Everything kept on this device goes: recent messages, drafts, words not sent yet, and these settings. Your chats stay with the server."
          : "Recent messages and what you were writing are kept here, to be read without a connection."}
      </p>
      {isAsked && (
        <Button isSmall looks="quiet" onClick={() => setAsked(false)}>
          Keep it
        </Button>
      )}
      <Button isSmall looks="danger" onClick={isAsked ? onWipe : () => setAsked(true)}>
        {isAsked ? "Wipe it" : label}
      </Button>
    </div>
  );
}

function Speed({ pace, onPace }: { pace: Pace; onPace(percent: number): void }) {
  return (
    <div class={styles.setting}>
      <label class={styles.settingWords} for="pace">
        Speed
        <p>{pace.percent === 100 ? "As the voice speaks by itself" : `${pace.percent} % of the voice’s own pace`}</p>
      </label>
      <input
        id="pace"
        type="range"
        min={pace.slowest}
        max={pace.fastest}
        step="5"
        value={pace.percent}
        aria-valuetext={`${pace.percent} percent`}
        onChange={({ currentTarget }) => onPace(Number(currentTarget.value))}
      />
    </div>
  );
}

function languageName(code: string): string {
  return code ? (new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code) : "Any";
}

type PickProps<T extends string> = { label: string; value: T; options: Record<T, string>; onPick(value: T): void };

function Pick<T extends string>({ label, value, options, onPick }: PickProps<T>) {
  const id = `setting-${label.replaceAll(" ", "-")}`;
  return (
    <div class={styles.setting}>
      <label class={styles.settingWords} for={id}>
        {label}
      </label>
      <select
        id={id}
        class={parts.field}
        value={value}
        onChange={({ currentTarget }) => onPick(currentTarget.value as T)}
      >
        {(Object.entries(options) as [T, string][]).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
