import { foldText } from '@laurel/mongo';
import type { clients } from '@laurel/rpc';
import { emailKeyOf, phoneKey, typedDigits } from '@laurel/values/contact';
import { isHidden, withoutHidden } from '../../domain/mobile/hiding';

const SEARCHED = ['first_name', 'last_name', 'email', 'phone'] as const;

/**
 * Whether staff may find somebody by a text: by a part of what they see of them, by what is hidden from them as a whole
 * alone, as the person says it at the counter. By parts of it they would read it letter by letter.
 */
export function mayBeFoundBy(
  hidden: readonly string[] | null | undefined,
  client: clients.Client,
  text: string,
): boolean {
  if (!SEARCHED.some((name) => isHidden(hidden, name))) return true;
  return hasPart(withoutHidden(hidden, client), text) || isWhole(client, text);
}

function hasPart({ first_name, last_name, email, phone }: clients.Client, text: string): boolean {
  const wanted = foldText(text.trim());
  const name = [first_name, last_name].filter(Boolean).join(' ');
  if ([name, email, phone].some((seen) => seen && foldText(seen).includes(wanted))) return true;
  const digits = typedDigits(wanted);
  return digits !== null && (phone ?? '').replace(/\D/g, '').includes(digits);
}

function isWhole({ first_name, last_name, email, phone }: clients.Client, text: string): boolean {
  const wanted = foldText(text.trim());
  const names = [first_name, last_name, `${first_name ?? ''} ${last_name ?? ''}`];
  const isName = names.some((name) => name && foldText(name) === wanted);
  const isPhone = phoneKey(phone) !== null && phoneKey(text) === phoneKey(phone);
  return (
    isName || isPhone || (emailKeyOf(email) !== null && emailKeyOf(text) === emailKeyOf(email))
  );
}
