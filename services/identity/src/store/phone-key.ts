import { phoneKey as comparedBy } from '@laurel/values/contact';

/** What a phone number is compared by, as everywhere: E.164 where it parses (part 3, section 16). */
export const phoneKey = (phone: string): string => comparedBy(phone) ?? phone.trim().toLowerCase();

/**
 * Under what an app user of a number may be found. Until `00` was read as `+` here, too, a number that was written with it
 * was compared by its digits; such a row keeps that key until its number becomes another one.
 */
export function phoneKeys(phone: string): string[] {
  const key = phoneKey(phone);
  return key.startsWith('+') ? [key, `00${key.slice(1)}`] : [key];
}
