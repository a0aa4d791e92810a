import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { emailKey } from './email';

/** What an e-mail address that there may not be is compared by; null where there is none. */
export const emailKeyOf = (email: string | null | undefined): string | null =>
  emailKey(email ?? '') || null;

/** Phones are compared as E.164 where they parse, else without spaces and punctuation. */
export function phoneKey(phone: string | null | undefined): string | null {
  if (!phone) return null;
  const parsed = parsePhoneNumberFromString(phone.replace(/^\s*00/, '+'));
  if (parsed?.isPossible()) return parsed.number;
  const digits = phone.replace(/[^\d+]/g, '');
  return digits === '' ? null : digits;
}

/** What people type of a phone number: digits, and what they part them with. */
const TYPED = /^\+?[\d\s()./-]+$/;
/** Fewer digits may be of anything. */
const DIGITS_MIN = 5;
/** What is dialled before a number at home (0) and abroad (00), and is no part of it as it is kept. */
const DIALLED = /^00?/;

/** The digits of a phone number, or of a part of one, that somebody types to find whose it is; null where the text is none. */
export function typedDigits(text: string): string | null {
  if (!TYPED.test(text.trim())) return null;
  const digits = text.replace(/\D/g, '').replace(DIALLED, '');
  return digits.length < DIGITS_MIN ? null : digits;
}
