import { keyAfter } from '@laurel/contract';
import { refuseTakenKey } from '@laurel/mongo';
import { refusals } from '../../refusals';

/** The key after a change that may name one; refuses another than it has already. */
export function keyGiven(
  current: string | null | undefined,
  wanted: string | null | undefined,
): string | null {
  const key = keyAfter(current, wanted);
  if (key === undefined) throw refusals.keyGiven({ field: 'key' });
  return key;
}

/** What is written under a key; refuses one that another of its kind has. */
export const underKey = <T>(written: Promise<T>): Promise<T> =>
  refuseTakenKey(written, () => refusals.keyTaken({ field: 'key' }));
