import type { ReactNode } from 'react';
import { useText } from '../text';

/** Beside a button that is grey: what has to be filled in before it can be pressed. */
export function StillMissing({ names }: { names: readonly string[] }): ReactNode {
  const { locale, say } = useText();
  if (names.length === 0) return null;
  const what = new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);
  return <p className="hint">{say('required.still', { what })}</p>;
}
