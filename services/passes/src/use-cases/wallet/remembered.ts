interface Remembered<T> {
  value: Promise<T>;
  until: number;
}

interface Memory<T> {
  max: number;
  keptMs: number;
  /** Which of what was made is kept; all of it unless it says so. */
  keeps?: (made: T) => boolean;
}

interface Remember<T> {
  (name: string, make: () => Promise<T>): Promise<T>;
  forget(name: string): void;
}

/**
 * Makes something once for all who ask within `keptMs`, also for those who ask while it is being made; a failure is
 * not kept. Keeps at most `max` things, the longest known go first.
 */
export function remembering<T>({ max, keptMs, keeps = () => true }: Memory<T>): Remember<T> {
  const kept = new Map<string, Remembered<T>>();
  const remember = (name: string, make: () => Promise<T>): Promise<T> => {
    const now = Date.now();
    const known = kept.get(name);
    if (known && known.until > now) return known.value;
    const value = make();
    const made = { value, until: now + keptMs };
    kept.delete(name);
    kept.set(name, made);
    if (kept.size > max) kept.delete(kept.keys().next().value as string);
    const drop = () => {
      if (kept.get(name) === made) kept.delete(name);
    };
    value.then((one) => {
      if (!keeps(one)) drop();
    }, drop);
    return value;
  };
  return Object.assign(remember, { forget: (name: string) => void kept.delete(name) });
}
