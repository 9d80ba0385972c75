/** Every time zone there is, the one of this device first. */
import { useMemo } from "preact/hooks";
import parts from "./parts.module.css";

export function Zones({ id, zone, onZone }: { id: string; zone: string; onZone(zone: string): void }) {
  const zones = useMemo(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return [...new Set([zone, here, ...Intl.supportedValuesOf("timeZone")])].filter(Boolean);
  }, [zone]);
  return (
    <select id={id} class={parts.field} value={zone} onChange={({ currentTarget }) => onZone(currentTarget.value)}>
      {zones.map((one) => (
        <option key={one} value={one}>
          {one.replaceAll("_", " ")}
        </option>
      ))}
    </select>
  );
}
