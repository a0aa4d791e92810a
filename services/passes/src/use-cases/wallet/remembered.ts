interface Remembered<T> {
  value: Promise<T>;
  until: number;
}

/**
 * Makes something once for all who ask within `keptMs`, also for those who ask while it is being made; a failure is
 * not kept. Keeps at most `max` things, the longest known go first.
 */
export function remembering<T>({ max, keptMs }: { max: number; keptMs: number }) {
  const kept = new Map<string, Remembered<T>>();
  return (name: string, make: () => Promise<T>): Promise<T> => {
    const now = Date.now();
    const known = kept.get(name);
    if (known && known.until > now) return known.value;
    const value = make();
    const made = { value, until: now + keptMs };
    kept.delete(name);
    kept.set(name, made);
    if (kept.size > max) kept.delete(kept.keys().next().value as string);
    value.catch(() => {
      if (kept.get(name) === made) kept.delete(name);
    });
    return value;
  };
}
