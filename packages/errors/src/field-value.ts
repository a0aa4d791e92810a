import { measurable } from './json';
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

/** What is wrong with a number that was sent, up to the bounds within which all are exact unless there are others. */
export function complaintAboutNumber(value: unknown, max = Number.MAX_SAFE_INTEGER): string | null {
  const number = measurable(value);
  if (typeof number !== 'number' || !Number.isFinite(number)) return 'must be a number';
  if (Math.abs(number) <= max && number === value) return null;
  return number > 0
    ? `must be less than or equal to ${max}`
    : `must be greater than or equal to -${max}`;
}

/** What is wrong with the value of a field, as the end of a sentence about it, or null. A type without a rule takes any text. */
export function complaintAboutValue(
  { type, options, lengthMax, isDate }: Asked,
  value: Json,
): string | null {
  const unless = (isRight: boolean, complaint: string) => (isRight ? null : complaint);
  if (type === 'number') return complaintAboutNumber(value);
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
