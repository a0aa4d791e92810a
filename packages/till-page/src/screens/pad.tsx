import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useTill } from '../context';
import { isScanned, useKeys } from '../hand-scanner';
import { type Digits, press } from '../pad';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back'] as const;

/** A number pad for a thumb; the keys of a keyboard do the same, those of a scanner that types do nothing. */
export function Pad({
  digits,
  onChange,
}: {
  digits: Digits;
  /** Of what stands there by then: two keys may come before the next drawing. */
  onChange: (change: (before: Digits) => Digits) => void;
}): VNode {
  const { say } = useTill().language;
  /** What stood there before the burst of keys that is being typed. */
  const before = useRef(digits);
  useKeys((event, burst) => {
    if (burst.typed.length <= 1) before.current = digits;
    // The next card, scanned before this one is done: its code is no amount.
    if (isScanned(burst)) {
      event.preventDefault();
      const { current } = before;
      onChange(() => current);
    } else if (/^\d$/.test(event.key)) onChange((typed) => press(typed, event.key));
    else if (event.key === 'Backspace') onChange((typed) => press(typed, 'back'));
  });
  return (
    <fieldset class="pad" aria-label={say('pad.label')}>
      {KEYS.map((key) => (
        <button
          type="button"
          key={key}
          aria-label={key === 'clear' || key === 'back' ? say(`pad.${key}`) : undefined}
          onClick={() => onChange((typed) => press(typed, key))}
        >
          {key === 'clear' ? 'C' : key === 'back' ? '⌫' : key}
        </button>
      ))}
    </fieldset>
  );
}
