import type { Wallet } from './shapes.ts';
import type { Plural, Words } from './words/en.ts';

/** The languages of the page (part 3, section 9); only the one that is spoken is fetched. */
const LANGUAGES: Readonly<Record<string, () => Promise<Words>>> = {
  en: async () => (await import('./words/en.ts')).en,
  de: async () => (await import('./words/de.ts')).de,
  fr: async () => (await import('./words/fr.ts')).fr,
  es: async () => (await import('./words/es.ts')).es,
  pl: async () => (await import('./words/pl.ts')).pl,
};

export const SPOKEN: readonly string[] = Object.keys(LANGUAGES);

export type WordKey = keyof Words;
type Units = Pick<Wallet, 'unit_singular_name' | 'unit_plural_name'> &
  Partial<Pick<Wallet, 'wallet_type_name'>>;
type Params = Readonly<Record<string, string | number>>;

export interface Language {
  /** What numbers and dates are written by, e.g. pl-PL. */
  locale: string;
  /** A sentence; `{name}` stands for a parameter, and `count` chooses the form. */
  say(key: WordKey, params?: Params): string;
  /** The reason in words; a reason that is not known is said in general. */
  sayReason(reason: string): string;
  number(value: number): string;
  money(value: number, currency: string): string;
  /** So much of what a wallet counts, in its own words, e.g. `20 crumbs`, else by its name; in points where no wallet is named. */
  amount(value: number, wallet: Units | null): string;
  /** What a wallet counts, as it follows that number; null where it has no words of its own. */
  unit(value: number, wallet: Units | null): string | null;
  /** The day of the shop on which it was, or will be. */
  date(iso: string): string;
  /** The last day of the shop on which something is good that ends at that moment. */
  lastDay(iso: string): string;
  /** Day and time, by the clock of the shop. */
  moment(iso: string): string;
  /** Day and time, by the clock of this phone. */
  momentHere(at: Date): string;
}

/**
 * The language of a workspace as far as the page speaks it, else English.
 *
 * @param timezone the IANA zone of the workspace; the phone's where a platform of before does not name one
 */
export async function loadLanguage(workspaceLocale: string, timezone?: string): Promise<Language> {
  const locale = supportedLocale(workspaceLocale);
  const words = await LANGUAGES[locale.slice(0, 2)]!();
  return createLanguage({ locale, timeZone: knownZone(timezone) }, words);
}

interface Place {
  locale: string;
  /** Absent: that of the phone. */
  timeZone: string | undefined;
}

function createLanguage({ locale, timeZone }: Place, words: Words): Language {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const inShop = { dateStyle: 'medium', timeZone } as const;
  const dates = new Intl.DateTimeFormat(locale, inShop);
  const moments = new Intl.DateTimeFormat(locale, { ...inShop, timeStyle: 'short' });
  const here = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

  function say(key: WordKey, params: Params = {}): string {
    const sentence = words[key];
    const form =
      typeof sentence === 'string' ? sentence : pluralForm(sentence, Number(params.count ?? 0));
    return form.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = params[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
    });
  }
  const pluralForm = (forms: Plural, count: number): string =>
    forms[plurals.select(count) as keyof Plural] ?? forms.other;

  function unit(value: number, wallet: Units | null): string | null {
    const { unit_singular_name: one = null, unit_plural_name: many = null } = wallet ?? {};
    return plurals.select(Math.abs(value)) === 'one' ? (one ?? many) : (many ?? one);
  }

  return {
    locale,
    say,
    unit,
    amount(value, wallet) {
      const own = unit(value, wallet) ?? wallet?.wallet_type_name ?? null;
      return own === null ? say('points', { count: value }) : `${numbers.format(value)} ${own}`;
    },
    sayReason: (reason) => {
      const key = `reason.${reason}`;
      return say(key in words ? (key as WordKey) : 'error.other');
    },
    number: (value) => numbers.format(value),
    money: (value, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value),
    date: (iso) => dates.format(new Date(iso)),
    lastDay: (iso) => dates.format(new Date(Date.parse(iso) - 1)),
    moment: (iso) => moments.format(new Date(iso)),
    momentHere: (at) => here.format(at),
  };
}

/** A phone of some years ago does not know the zones that were named since: it goes by its own. */
function knownZone(timezone: string | undefined): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return timezone;
  } catch {
    return undefined;
  }
}

function supportedLocale(wanted: string): string {
  try {
    const [locale = 'en'] = Intl.getCanonicalLocales(wanted.replaceAll('_', '-'));
    return locale.slice(0, 2) in LANGUAGES ? locale : 'en';
  } catch {
    return 'en';
  }
}
