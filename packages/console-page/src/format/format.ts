import type { WalletType } from '@laurel/client';

/** Everything that numbers and moments are written by: the reader's language, the workspace's zone and money. */
export interface Format {
  number(value: number): string;
  /** `0.125` as "12.5 %", with its sign where a change is meant. */
  percent(share: number, isChange?: boolean): string;
  /** @param currency the workspace’s own unless it is named */
  money(value: number, currency?: string | null): string;
  /** An amount of a currency in its own units: "12.5 beans". */
  units(amount: number, of: Unit | undefined): string;
  /** The same with its sign, as in a statement. */
  change(amount: number, of?: Unit): string;
  /** A day, from a moment or from YYYY-MM-DD. */
  day(at: string): string;
  /** The same without its year, for what is narrow. */
  shortDay(at: string): string;
  moment(at: string): string;
  /** "3 days ago". */
  ago(at: string, now?: Date): string;
  timezone: string;
}

export type Unit = Pick<WalletType, 'name' | 'unit_singular_name' | 'unit_plural_name'>;

const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The only place that asks `Intl`. Amounts have up to four decimals, as they are stored. */
export function createFormat(locale: string, timezone: string, currency: string): Format {
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const signed = new Intl.NumberFormat(locale, {
    maximumFractionDigits: 4,
    signDisplay: 'exceptZero',
  });
  const plurals = new Intl.PluralRules(locale);
  const moneyIn = (of: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: of });
  const monies = moneyIn(currency);
  const dates = (options: Intl.DateTimeFormatOptions, timeZone = timezone) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  /** A day has no zone: it is the same day everywhere. */
  const write = (at: string, options: Intl.DateTimeFormatOptions) =>
    dates(options, DAY_ONLY.test(at) ? 'UTC' : timezone).format(new Date(at));
  const named = (text: string, amount: number, of: Unit | undefined) => {
    if (!of) return text;
    const isOne = plurals.select(Math.abs(amount)) === 'one';
    const name = isOne ? (of.unit_singular_name ?? of.name) : (of.unit_plural_name ?? of.name);
    return `${text} ${name}`;
  };
  // Beside figures a hyphen is short and low; the till and the portal write it so, too.
  const withMinus = (text: string) => text.replace('-', '−');
  return {
    timezone,
    number: (value) => withMinus(numbers.format(value)),
    percent: (share, isChange = false) =>
      new Intl.NumberFormat(locale, {
        style: 'percent',
        maximumFractionDigits: 1,
        signDisplay: isChange ? 'exceptZero' : 'auto',
      }).format(share),
    money: (value, of) => (of && of !== currency ? moneyIn(of) : monies).format(value),
    units: (amount, of) => named(withMinus(numbers.format(amount)), amount, of),
    change: (amount, of) => named(withMinus(signed.format(amount)), amount, of),
    day: (at) => write(at, { dateStyle: 'medium' }),
    shortDay: (at) => write(at, { day: 'numeric', month: 'short' }),
    moment: (at) => write(at, { dateStyle: 'medium', timeStyle: 'short' }),
    ago(at, now = new Date()) {
      const seconds = (new Date(at).getTime() - now.getTime()) / 1_000;
      const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
  };
}
