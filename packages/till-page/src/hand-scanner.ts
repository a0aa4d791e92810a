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

/** What takes keys itself: a list jumps to the choice that begins with what is typed. */
const takesKeys = (target: EventTarget | null): boolean =>
  [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some(
    (field) => target instanceof field,
  );

/** Whether a key is for the browser. With AltGr, which Windows tells as Ctrl and Alt, and with Option characters are typed. */
export const isShortcut = (
  event: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'getModifierState'>,
): boolean => event.metaKey || (event.ctrlKey && !event.getModifierState('AltGraph'));

/** Listens to the keys that no field of a form takes, each with the burst that it is part of. */
export function useKeys(onKey: (event: KeyboardEvent, burst: Burst) => void): void {
  const burst = useRef(NO_BURST);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (takesKeys(event.target) || isShortcut(event)) return;
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
