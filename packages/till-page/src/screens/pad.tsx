import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useTill } from '../context';
import { CODE_LENGTH_MIN, SCANNER_KEY_MS } from '../hand-scanner';
import { type Digits, press } from '../pad';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back'] as const;

/** A number pad for a thumb; the keys of a keyboard do the same, those of a scanner that types do nothing. */
export function Pad({
  digits,
  onChange,
}: {
  digits: Digits;
  onChange: (digits: Digits) => void;
}): VNode {
  const { say } = useTill().language;
  const burst = useRef({ keys: 0, last: Number.NEGATIVE_INFINITY, before: digits });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement) return;
      const now = burst.current;
      if (event.timeStamp - now.last > SCANNER_KEY_MS)
        Object.assign(now, { keys: 0, before: digits });
      Object.assign(now, { keys: now.keys + 1, last: event.timeStamp });
      // The next card, scanned before this one is done: its code is no amount.
      if (now.keys >= CODE_LENGTH_MIN) {
        event.preventDefault();
        return onChange(now.before);
      }
      if (/^\d$/.test(event.key)) onChange(press(digits, event.key));
      else if (event.key === 'Backspace') onChange(press(digits, 'back'));
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
  return (
    <fieldset class="pad" aria-label={say('pad.label')}>
      {KEYS.map((key) => (
        <button
          type="button"
          key={key}
          aria-label={key === 'clear' || key === 'back' ? say(`pad.${key}`) : undefined}
          onClick={() => onChange(press(digits, key))}
        >
          {key === 'clear' ? 'C' : key === 'back' ? '⌫' : key}
        </button>
      ))}
    </fieldset>
  );
}
