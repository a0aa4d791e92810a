import type { Json } from './refusal';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+?[\d\s().\-/]{3,50}$/;
const WEB = /^https?:\/\//i;

/** What a field asks of its value. */
interface Asked {
  type: string;
  /** The values of a select. */
  options: readonly string[];
  /** In characters. */
  lengthMax: number;
  isDate: (text: string) => boolean;
}

/** What is wrong with the value of a field, as the end of a sentence about it, or null. A type without a rule takes any text. */
export function complaintAboutValue(
  { type, options, lengthMax, isDate }: Asked,
  value: Json,
): string | null {
  const unless = (isRight: boolean, complaint: string) => (isRight ? null : complaint);
  if (type === 'number') return unless(Number.isFinite(value), 'must be a number');
  if (type === 'boolean' || type === 'checkbox')
    return unless(typeof value === 'boolean', 'must be true or false');
  if (type === 'select')
    return unless(options.includes(value as string), `must be one of ${options.join(', ')}`);
  if (typeof value !== 'string') return 'must be text';
  if (value.length > lengthMax) return `must be at most ${lengthMax} characters long`;
  if (type === 'email') return unless(EMAIL.test(value), 'must be an e-mail address');
  if (type === 'phone' || type === 'tel')
    return unless(PHONE.test(value), 'must be a phone number');
  if (type === 'date') return unless(isDate(value), 'must be a date like 2026-01-31');
  if (type === 'url')
    return unless(URL.canParse(value) && WEB.test(value), 'must be a web address');
  return null;
}
