/** What belongs together, in the order it came. `Map.groupBy` is not in every browser that can do the rest. */
export function grouped<T>(ones: readonly T[], of: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of ones) {
    const key = of(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
