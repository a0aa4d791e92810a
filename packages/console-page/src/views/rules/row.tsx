import type { ReactNode } from 'react';
import { useText } from '../../text';

/** One condition or effect: its sentence, its fields, and what can be done with it. */
export function Row({
  title,
  error,
  onRemove,
  onUp,
  onDown,
  children,
}: {
  title: string;
  error: string | undefined;
  onRemove: () => void;
  onUp?: (() => void) | undefined;
  onDown?: (() => void) | undefined;
  children: ReactNode;
}): ReactNode {
  const { say } = useText();
  const actions = [
    ['↑', say('up'), onUp],
    ['↓', say('down'), onDown],
    ['×', say('remove'), onRemove],
  ] as const;
  return (
    <fieldset className="part">
      <legend>{title}</legend>
      {children}
      {error && <p className="field-error">{error}</p>}
      <div className="part-actions">
        {actions.map(
          ([sign, name, act]) =>
            act && (
              <button
                key={sign}
                type="button"
                className="icon-button"
                aria-label={`${name}: ${title}`}
                onClick={act}
              >
                {sign}
              </button>
            ),
        )}
      </div>
    </fieldset>
  );
}
