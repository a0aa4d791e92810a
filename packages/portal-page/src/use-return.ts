import { useEffect, useRef } from './vendor/preact.js';

/** So long what was fetched is taken for what there is. */
const FRESH_MS = 30_000;

/** Asks again when somebody comes back: to a page that a phone has kept for hours, or to another view of it. */
export function useReturn(refresh: () => void): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    let askedAt = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - askedAt < FRESH_MS) return;
      askedAt = Date.now();
      latest.current();
    };
    document.addEventListener('visibilitychange', look);
    addEventListener('pageshow', look);
    addEventListener('hashchange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pageshow', look);
      removeEventListener('hashchange', look);
    };
  }, []);
}
