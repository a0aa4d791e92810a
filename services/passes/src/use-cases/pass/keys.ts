import { keyAfter, refuseTakenKey } from '@laurel/mongo';
import { refusals } from '../../refusals';

/** The key after a change that may name one; refuses another than it has already, unless who asks has seen that one. */
export function keyGiven(
  current: string | null | undefined,
  wanted: string | null | undefined,
): string | null {
  return keyAfter(current, wanted, () => refusals.keyGiven({ field: 'key' }));
}

/** What is written under a key; refuses one that another of its kind has. */
export const underKey = <T>(written: Promise<T>): Promise<T> =>
  refuseTakenKey(written, () => refusals.keyTaken({ field: 'key' }));
