/** Times, counts and shares as people read them. What is absent is a dash, never a zero. */

export const NONE = "–";

/** 840 µs, 6.4 ms, 640 ms, 1.18 s, 2 min 5 s. */
export function time(us: number | null | undefined): string {
  if (us == null) return NONE;
  if (us < 1000) return `${Math.round(us)} µs`;
  const ms = us / 1000;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** 12 345, with a thin space between thousands. */
export function count(number: number | null | undefined): string {
  if (number == null) return NONE;
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** 1 tool, 12 tools. */
export const many = (number: number, one: string): string => `${count(number)} ${one}${number === 1 ? "" : "s"}`;

/** Thousandths as percent: 3.1 %. */
export function share(permille: number | null | undefined): string {
  if (permille == null) return NONE;
  return `${(permille / 10).toFixed(permille % 10 === 0 ? 0 : 1)} %`;
}

/** The end of an id tells it from its neighbours; the beginning is the time. */
export function shortId(id: string): string {
  const [kind, digits] = id.split("_", 2);
  return digits && digits.length > 8 ? `${kind}_…${digits.slice(-6)}` : id;
}

/** `backend_orchestrated` as words. */
export function words(code: string): string {
  return code.replaceAll("_", " ");
}
