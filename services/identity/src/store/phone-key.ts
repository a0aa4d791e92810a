import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** What a phone number is compared by: E.164 where it parses, else its digits (part 3, section 16). */
export function phoneKey(phone: string): string {
  const parsed = parsePhoneNumberFromString(phone);
  if (parsed?.isValid()) return parsed.number;
  return phone.replace(/[^\d+]/g, '') || phone.trim().toLowerCase();
}
