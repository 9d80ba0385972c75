/** Who the person is, as the server knows it: every chat and every device has it from there. */
import { useState } from "preact/hooks";
import type { Profile } from "../house.ts";
import parts from "./parts.module.css";
import styles from "./Sheet.module.css";
import { Group, Toggle } from "./Sheet.tsx";
import { Zones } from "./Zones.tsx";

const LENGTHS = [15, 20, 25, 30, 45, 60, 90];

export function AboutYou({
  profile,
  onChange,
}: {
  profile: Profile;
  onChange(change: Partial<Profile>): Promise<string>;
}) {
  const [problem, setProblem] = useState("");
  const change = async (what: Partial<Profile>) => setProblem(await onChange(what));
  const { working_hours: hours, default_meeting_minutes: usual } = profile;
  const lengths = LENGTHS.includes(usual) ? LENGTHS : [usual, ...LENGTHS];
  return (
    <Group title="You">
      <div class={styles.setting}>
        <label class={styles.settingWords} for="my-name">
          Name
        </label>
        <input
          id="my-name"
          class={parts.field}
          maxLength={80}
          autocomplete="name"
          defaultValue={profile.name ?? ""}
          onChange={({ currentTarget }) => change({ name: currentTarget.value.trim() || null })}
        />
      </div>
      <div class={styles.setting}>
        <label class={styles.settingWords} for="my-zone">
          Time zone
        </label>
        <Zones id="my-zone" zone={profile.time_zone} onZone={(time_zone) => change({ time_zone })} />
      </div>
      <div class={styles.setting}>
        <div class={styles.settingWords} id="my-hours">
          Meetings are welcome
          <p>{days(hours.days)}</p>
        </div>
        <span class={styles.hours} role="group" aria-labelledby="my-hours">
          {(["start", "end"] as const).map((side) => (
            <input
              key={side}
              class={parts.field}
              type="time"
              aria-label={side === "start" ? "From" : "Until"}
              value={hours[side]}
              onChange={({ currentTarget }) =>
                currentTarget.value && change({ working_hours: { ...hours, [side]: currentTarget.value } })
              }
            />
          ))}
        </span>
      </div>
      <div class={styles.setting}>
        <label class={styles.settingWords} for="my-length">
          A meeting takes, unless I say
        </label>
        <select
          id="my-length"
          class={parts.field}
          value={usual}
          onChange={({ currentTarget }) => change({ default_meeting_minutes: Number(currentTarget.value) })}
        >
          {lengths.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes} minutes
            </option>
          ))}
        </select>
      </div>
      <Toggle
        label="Models outside this machine"
        note="Where the server has one, it may be asked about what I say."
        isOn={profile.cloud_models}
        onTurn={(cloud_models) => change({ cloud_models })}
      />
      {problem && (
        <p role="alert" class={styles.problem}>
          {problem}
        </p>
      )}
    </Group>
  );
}

/** "Mon, Tue, Fri" */
function days(ones: readonly string[]): string {
  return ones.map((day) => day[0]?.toUpperCase() + day.slice(1)).join(", ");
}
