import { invalidField } from '@laurel/errors';

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The code in capitals; refuses what ISO 4217 does not name. */
export function requireCurrency(code: string): string {
  const upper = code.toUpperCase();
  if (!CURRENCIES.has(upper))
    throw invalidField('default_currency', 'default_currency must be an ISO 4217 code such as EUR');
  return upper;
}
