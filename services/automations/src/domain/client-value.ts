import type { Json } from '@laurel/errors';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LENGTH_MAX: Readonly<Record<string, number>> = {
  first_name: 255,
  last_name: 255,
  email: 255,
  phone: 50,
};

/** Why the API would refuse a value for a column of a client (part 1, Client); null where it takes it. */
export function complaintAboutValue(column: string, value: Json): string | null {
  if (value === null) return null;
  if (typeof value === 'object') return `${column} must be text`;
  const text = String(value);
  if (column === 'birth_date')
    return isRealDay(text) ? null : 'birth_date must be a date like 2026-01-31';
  const max = LENGTH_MAX[column];
  if (max !== undefined && text.length > max)
    return `${column} must be at most ${max} characters long`;
  return column === 'email' && !EMAIL.test(text) ? 'email must be an e-mail address' : null;
}

function isRealDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
