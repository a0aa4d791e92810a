import { phoneKey as comparedBy } from '@laurel/values/contact';

/** What a phone number is compared by, as everywhere: E.164 where it parses (part 3, section 16). */
export const phoneKey = (phone: string): string => comparedBy(phone) ?? phone.trim().toLowerCase();

/**
 * Under what an app user of a number may be found, the present key first. Until `00` was read as `+` here, too, a number that was
 * written with it was compared by its digits, a zero in brackets among them; such a row keeps that key until its number
 * becomes another one.
 */
export function phoneKeys(phone: string): string[] {
  const key = phoneKey(phone);
  const dialled = key.startsWith('+') ? [`00${key.slice(1)}`] : [];
  const typed = phone.replace(/[^\d+]/g, '') || key;
  return [...new Set([key, ...dialled, typed])];
}
