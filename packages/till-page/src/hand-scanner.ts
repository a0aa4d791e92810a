import { useEffect, useRef } from 'preact/hooks';

/** A scanner that types is quicker than any person, and for as long as a code is. */
const SCANNER_KEY_MS = 60;
const CODE_LENGTH_MIN = 4;

/** What was typed as quickly as only a scanner does it, so far. */
export interface Burst {
  typed: string;
  /** When its last key came. */
  last: number;
}

export const NO_BURST: Burst = { typed: '', last: Number.NEGATIVE_INFINITY };

/** The burst that a key is part of: of one that comes later than a scanner's it is the first. */
export function withKey(
  { typed, last }: Burst,
  { key, timeStamp }: Pick<KeyboardEvent, 'key' | 'timeStamp'>,
): Burst {
  const before = timeStamp - last > SCANNER_KEY_MS ? '' : typed;
  return { typed: key.length === 1 ? `${before}${key}` : before, last: timeStamp };
}

/** Whether a scanner types it, and no fingers. */
export const isScanned = ({ typed }: Burst): boolean => typed.length >= CODE_LENGTH_MIN;

/** Inputs that have the focus for as long as a list has, and are typed into as little. */
const TICKS = ['checkbox', 'radio'];

/** What takes the keys of a text itself. */
const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !TICKS.includes(target.type));

/** A list that was used keeps the focus, and would jump to the choice that begins with the next code. */
const wouldJump = ({ target, key }: KeyboardEvent): boolean =>
  target instanceof HTMLSelectElement && key.length === 1 && key !== ' ';

/** Whether a key is for the browser. With AltGr, which Windows tells as Ctrl and Alt, and with Option characters are typed. */
export const isShortcut = (
  event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'getModifierState'>,
): boolean => event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'));

/**
 * Listens to the keys that no field of a form takes, each with the burst that it is part of. A list and a tick are chosen in by
 * arrows and the space bar; the characters are typed for what listens here.
 */
export function useKeys(onKey: (event: KeyboardEvent, burst: Burst) => void): void {
  const burst = useRef(NO_BURST);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (isTypedInto(event.target) || isShortcut(event)) return;
      if (wouldJump(event)) event.preventDefault();
      burst.current = withKey(burst.current, event);
      onKey(event, burst.current);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

/** A scanner that types: the keys of a code, quickly, and Enter. */
export function useHandScanner(onCode: (code: string) => void): void {
  useKeys((event, burst) => {
    if (event.key !== 'Enter' || !isScanned(burst)) return;
    event.preventDefault();
    onCode(burst.typed);
  });
}
