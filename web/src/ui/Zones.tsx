/** Every time zone there is, the one of this device first, and each by one name. */
import { useMemo } from "preact/hooks";
import parts from "./parts.module.css";

export function Zones({ id, zone, onZone }: { id: string; zone: string; onZone(zone: string): void }) {
  const zones = useMemo(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const names = new Set<string>();
    return [zone, here, ...Intl.supportedValuesOf("timeZone")].filter((one) => {
      const isNew = one && !names.has(called(one));
      return isNew && names.add(called(one));
    });
  }, [zone]);
  return (
    <select id={id} class={parts.field} value={zone} onChange={({ currentTarget }) => onZone(currentTarget.value)}>
      {zones.map((one) => (
        <option key={one} value={one}>
          {called(one)}
        </option>
      ))}
    </select>
  );
}

/** Servers and browsers spell it differently. */
export function called(zone: string): string {
  return zone === "Etc/UTC" ? "UTC" : zone.replaceAll("_", " ");
}
