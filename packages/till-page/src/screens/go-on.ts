import { useEffect, useState } from 'preact/hooks';

/** Long enough to read what became of it. */
const STAYS_MS = 4_000;
const TOUCHES = ['pointerdown', 'keydown', 'focusin', 'wheel'] as const;

/**
 * Goes on by itself, once all is said: but not after a touch of the screen, and never where the user wants
 * nothing to move by itself.
 *
 * @returns whether it is about to, and whether it ever may
 */
export function useGoOn(
  isAllTold: boolean,
  onNext: () => void,
): { isGoing: boolean; mayGo: boolean } {
  const [mayGo] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches);
  const [isHeld, setHeld] = useState(!mayGo);
  useEffect(() => {
    const hold = ({ target }: Event) => {
      // The page itself gives the focus to the heading of each screen.
      if (!(target instanceof HTMLHeadingElement)) setHeld(true);
    };
    for (const touch of TOUCHES) document.addEventListener(touch, hold, { passive: true });
    return () => {
      for (const touch of TOUCHES) document.removeEventListener(touch, hold);
    };
  }, []);
  const isGoing = isAllTold && !isHeld;
  useEffect(() => {
    if (!isGoing) return;
    const timer = setTimeout(onNext, STAYS_MS);
    return () => clearTimeout(timer);
  }, [isGoing]);
  return { isGoing, mayGo };
}
