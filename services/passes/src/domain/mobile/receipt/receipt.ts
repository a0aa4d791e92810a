import { withCents } from './cents';
import { currencyIn, prevailingCurrency } from './currency';
import { dateOf } from './date';
import { merchantOf } from './merchant';
import { totalOf } from './total';

/** What a receipt says; null for what it does not say, or not legibly. */
export interface ReceiptFacts {
  amount: number | null;
  currency: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  merchant: string | null;
}

const MONTH_FIRST = ['USD', 'CAD'];

/** Finds total, currency, day and merchant in the text of a receipt (en, de, fr, es, pl); `today` is YYYY-MM-DD. */
export function factsOf(text: string, today: string): ReceiptFacts {
  const printed = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const lines = withCents(printed);
  const total = totalOf(lines);
  const currency = (total && currencyIn(total.line)) ?? prevailingCurrency(lines);
  const monthFirst = currency !== null && MONTH_FIRST.includes(currency);
  return {
    amount: total?.amount ?? null,
    currency,
    date: dateOf(lines, { today, monthFirst }),
    merchant: merchantOf(lines),
  };
}
