export type Plural = { other: string; one?: string; few?: string; many?: string };
export type Words = Readonly<Record<string, string | Plural>>;
type Params = Readonly<Record<string, string | number>>;

export interface Language<Key extends string> {
  /** What numbers and dates are written by, e.g. pl-PL. */
  locale: string;
  /** A sentence; `{name}` stands for a parameter, and `count` chooses the form. */
  say(key: Key, params?: Params): string;
  /** Whether there are words for what another program named. */
  knows(key: string): key is Key;
  number(value: number): string;
  /** Whether so many are spoken of as of one: 1.5 are in French, in English they are not. */
  isOne(value: number): boolean;
  money(value: number, currency: string): string;
  time(date: Date): string;
  /** The time of today, and of any other day that day with it. */
  moment(date: Date, now?: Date): string;
}

/** The first of the wanted languages that the page speaks, with its region; else English. */
export function languageOf(wanted: readonly string[], spoken: readonly string[]): string {
  return wanted.find((locale) => spoken.includes(locale.slice(0, 2).toLowerCase())) ?? 'en';
}

export function createLanguage<Key extends string>(
  locale: string,
  words: Readonly<Record<Key, string | Plural>>,
): Language<Key> {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const times = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const moments = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });

  /** French puts a space before some marks, at which no line may end. */
  const spaced = (sentence: string): string =>
    locale.startsWith('fr') ? sentence.replace(/ (?=[:;!?»])|(?<=«) /g, '\u202f') : sentence;

  const formOf = (sentence: string | Plural, count: number): string =>
    typeof sentence === 'string'
      ? sentence
      : (sentence[plurals.select(count) as keyof Plural] ?? sentence.other);

  return {
    locale,
    say: (key, params = {}) =>
      spaced(formOf(words[key], Number(params.count ?? 0))).replace(
        /\{(\w+)\}/g,
        (whole, name: string) => {
          const value = params[name];
          return typeof value === 'number' ? numbers.format(value) : (value ?? whole);
        },
      ),
    knows: (key): key is Key => Object.hasOwn(words, key),
    number: (value) => numbers.format(value),
    isOne: (value) => plurals.select(Math.abs(value)) === 'one',
    money: (value, currency) =>
      new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value),
    time: (date) => times.format(date),
    moment: (date, now = new Date()) =>
      (date.toDateString() === now.toDateString() ? times : moments).format(date),
  };
}

/** The languages of a page: the words of one, a file of their own, are loaded when it is wanted. */
export function languagesOf<Key extends string>(
  words: Readonly<Record<string, () => Promise<Readonly<Record<Key, string | Plural>>>>>,
) {
  const spoken: readonly string[] = Object.keys(words);
  /** Words for somebody else than who looks at the page, in whatever locale: English where it is not spoken here. */
  async function of(locale: string): Promise<Language<Key>> {
    const known = languageOf([locale], spoken);
    return createLanguage(known, await words[known.slice(0, 2).toLowerCase()]!());
  }
  return {
    spoken,
    of,
    /** @param locale in one of the languages, with a region or without */
    load: (locale: string): Promise<Language<Key>> => {
      document.documentElement.lang = locale;
      return of(locale);
    },
  };
}
