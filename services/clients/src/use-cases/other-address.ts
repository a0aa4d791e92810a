import { emailKeyOf, phoneKey } from '@laurel/values/contact';
import { changedFieldName, type FieldChange } from '../domain/client';

/**
 * Whether a change gives a client another e-mail address, or takes theirs. One where there was none is another one,
 * too: what counts as proven was not that. The same address written otherwise is none.
 */
export function isOfOtherEmail(change: FieldChange): boolean {
  if (changedFieldName(change) !== 'email') return false;
  return emailKeyOf(change.before as string | null) !== emailKeyOf(change.after as string | null);
}

/** Whether a change takes a client's number, or puts another one in its place. */
export function isOfOtherPhone(change: FieldChange): boolean {
  if (changedFieldName(change) !== 'phone') return false;
  const before = phoneKey(change.before as string | null);
  return before !== null && before !== phoneKey(change.after as string | null);
}
