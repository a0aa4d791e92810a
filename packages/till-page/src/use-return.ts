import { useEffect, useRef } from 'preact/hooks';

/** So long what the till knows of its shop is taken for how it is: actions, currencies, the money it is paid in. */
const FRESH_MS = 300_000;

/** Asks again on the return to a till that stood in the background, and now and then at one that never does. */
export function useReturn(ask: () => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    let askedAt = Date.now();
    const look = () => {
      if (document.hidden || Date.now() - askedAt < FRESH_MS) return;
      askedAt = Date.now();
      latest.current();
    };
    document.addEventListener('visibilitychange', look);
    const again = setInterval(look, FRESH_MS);
    return () => {
      document.removeEventListener('visibilitychange', look);
      clearInterval(again);
    };
  }, []);
}
