import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useTill } from '../context';
import { type Digits, press } from '../pad';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back'] as const;

/** A number pad for a thumb; the keys of a keyboard do the same. */
export function Pad({
  digits,
  onChange,
}: {
  digits: Digits;
  onChange: (digits: Digits) => void;
}): VNode {
  const { say } = useTill().language;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement) return;
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
