/** Times that are taken in the page itself, for whoever measures: `performance` has them by name. */

/** How long it takes until a stop, or somebody talking over the voice, is heard; for whoever measures. */
export function measureStops(): void {
  for (const [from, name] of [
    ["sayso.stop", "sayso.flush"],
    ["sayso.onset", "sayso.gave way"],
  ] as const) {
    if (performance.getEntriesByName(from).length) performance.measure(name, from);
    performance.clearMarks(from);
  }
}
