import { useCallback, useEffect, useRef, useState } from './vendor/preact.js';

/** Something that is being fetched, was fetched, or could not be. What was there stays while it is fetched again. */
export interface Loaded<T> {
  value: T | null;
  error: unknown;
  reload(): Promise<void>;
}

export function useLoaded<T>(load: () => Promise<T>, isWanted = true): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: unknown }>({
    value: null,
    error: null,
  });
  const turn = useRef(0);
  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    // An answer that was overtaken by a later one is of no interest.
    const settle = (next: (before: T | null) => { value: T | null; error: unknown }) => {
      if (turn.current === mine) setState(({ value }) => next(value));
    };
    try {
      const value = await load();
      settle(() => ({ value, error: null }));
    } catch (error) {
      settle((value) => ({ value, error }));
    }
  }, []);
  useEffect(() => {
    if (isWanted) void reload();
  }, []);
  return { ...state, reload };
}
