import { useCallback, useEffect, useRef, useState } from './vendor/preact.js';

/**
 * Something that is being fetched, was fetched, or could not be. What was there stays while it is fetched again, and where
 * that fails: then it has both a value and an error.
 */
export interface Loaded<T> extends State<T> {
  reload(): Promise<void>;
}

interface State<T> {
  value: T | null;
  error: unknown;
  /** When the value came; null without one. */
  cameAt: Date | null;
}

export function useLoaded<T>(load: () => Promise<T>, isWanted = true): Loaded<T> {
  const [state, setState] = useState<State<T>>({ value: null, error: null, cameAt: null });
  const turn = useRef(0);
  const reload = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    // An answer that was overtaken by a later one is of no interest.
    const settle = (next: (before: State<T>) => State<T>) => {
      if (turn.current === mine) setState(next);
    };
    try {
      const value = await load();
      settle(() => ({ value, error: null, cameAt: new Date() }));
    } catch (error) {
      settle((before) => ({ ...before, error }));
    }
  }, []);
  useEffect(() => {
    if (isWanted) void reload();
  }, []);
  return { ...state, reload };
}
