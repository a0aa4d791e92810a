/** The zones whose names the runtime knows. */
const HAS_ZONE = /(\dZ|[+-]\d{2}:?\d{2}|\b(UTC|UT|GMT|[ECMP][SD]T))$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ISO = /^\d{4}-\d{2}-\d{2}[T ]/i;

/** The moment that a text names, in UTC where it has no zone, wherever the machine stands; an invalid Date for none. */
export function momentOf(text: string): Date {
  const said = text.trim();
  if (DAY.test(said) || HAS_ZONE.test(said)) return new Date(said);
  return new Date(ISO.test(said) ? `${said}Z` : `${said} UTC`);
}
