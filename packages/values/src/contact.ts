import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** E-mail addresses are compared in lower case (part 3, section 16). */
export function emailKey(email: string | null | undefined): string | null {
  const key = email?.trim().toLowerCase();
  return key ? key : null;
}

/** Phones are compared as E.164 where they parse, else without spaces and punctuation. */
export function phoneKey(phone: string | null | undefined): string | null {
  if (!phone) return null;
  const parsed = parsePhoneNumberFromString(phone.replace(/^\s*00/, '+'));
  if (parsed?.isPossible()) return parsed.number;
  const digits = phone.replace(/[^\d+]/g, '');
  return digits === '' ? null : digits;
}
