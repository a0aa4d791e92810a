import { loadLanguage, type WordKey } from './language.ts';
import { de } from './words/de.ts';
import { en } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { pl } from './words/pl.ts';

const LANGUAGES = { en, de, fr, es, pl };

const placeholders = (sentence: unknown): string[] =>
  [...new Set(JSON.stringify(sentence).match(/\{\w+\}/g) ?? [])].sort();

describe.each(Object.entries(LANGUAGES))('the page in %s', (code, words) => {
  test('says everything, with the same parameters as in English', () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys(en).sort());
    for (const [key, sentence] of Object.entries(words))
      expect([key, placeholders(sentence)]).toEqual([key, placeholders(en[key as WordKey])]);
  });

  test('has a form for every count that its grammar tells apart', async () => {
    const { say } = await loadLanguage(code);
    for (const count of [0, 1, 2, 5, 12, 22, 1.5, 1_000_000])
      expect(say('points', { count })).toMatch(/^[\d.,\s  ]+ /);
  });
});

describe('a language', () => {
  test.each([
    ['de', 'Es fehlt 1 Punkt', 'Es fehlen 2 Punkte'],
    ['es', 'Falta 1 punto', 'Faltan 2 puntos'],
    ['en', '1 point to go', '2 points to go'],
  ])('counts with its verbs, too: %s', async (locale, one, several) => {
    const { say, amount } = await loadLanguage(locale);
    const missing = (count: number) =>
      say('rewards.missing', { points: amount(count, null), count });
    expect([missing(1), missing(2)]).toEqual([one, several]);
  });

  test.each([
    ['pl-PL', 'pl-PL'],
    ['pl_PL', 'pl-PL'],
    ['DE', 'de'],
    ['it', 'en'],
    ['no such locale', 'en'],
    ['', 'en'],
  ])('for the locale %s is %s', async (wanted, locale) => {
    expect((await loadLanguage(wanted)).locale).toBe(locale);
  });

  test('puts numbers in the way of the country, to the last decimal', async () => {
    const german = await loadLanguage('de-DE');
    expect(german.say('points', { count: 1234.5678 })).toBe('1.234,5678 Punkte');
    expect((await loadLanguage('en')).say('points', { count: 1 })).toBe('1 point');
  });

  test.each([
    [1, '1 punkt'],
    [3, '3 punkty'],
    [5, '5 punktów'],
    [1.5, '1,5 punktu'],
  ])('counts %s in Polish as people do', async (count, said) => {
    expect((await loadLanguage('pl')).say('points', { count })).toBe(said);
  });

  test('keeps a mark of French on the line of its word', async () => {
    const { say } = await loadLanguage('fr-FR');
    expect(say('redeem.question', { name: 'Thé ?' })).toBe('Échanger contre Thé ?\u202f?');
    expect(JSON.stringify(fr)).not.toMatch(/ [:;!?]/);
  });

  test.each([
    [1, 'Falta 1 compra para Oro'],
    [3, 'Faltan 3 compras para Oro'],
  ])('puts the verb to %d in Spanish as people do', async (count, said) => {
    const { say } = await loadLanguage('es');
    const amount = say('tier.purchases', { count });
    expect(say('tier.next', { amount, name: 'Oro', count })).toBe(said);
  });

  test.each([
    ['America/New_York', 'May 31, 2026', 'May 31, 2026, 11:59'],
    ['Europe/Berlin', 'Jun 1, 2026', 'Jun 1, 2026, 5:59'],
  ])('says days and times by the clock of a shop in %s', async (zone, day, moment) => {
    const language = await loadLanguage('en', zone);
    const at = '2026-06-01T03:59:59.999Z';
    expect([language.date(at), language.lastDay(at)]).toEqual([day, day]);
    expect(language.moment(at)).toContain(moment);
  });

  test('calls the day before midnight the last one of what ends then', async () => {
    const { date, lastDay } = await loadLanguage('en', 'America/New_York');
    const midnight = '2026-06-01T00:00:00-04:00';
    expect([date(midnight), lastDay(midnight)]).toEqual(['Jun 1, 2026', 'May 31, 2026']);
  });

  test.each([undefined, 'Mars/Olympus'])(
    'goes by the clock of the phone where it does not know the zone %s',
    async (zone) => {
      const language = await loadLanguage('en', zone);
      const at = '2026-06-01T03:59:59.999Z';
      const own = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date(at));
      expect(language.date(at)).toBe(own);
    },
  );

  test('has a word for a refusal that it does not know', async () => {
    const language = await loadLanguage('en');
    expect(language.sayReason('tier_locked')).toBe('For another level');
    expect(language.sayReason('of_a_later_version')).toBe(language.say('error.other'));
  });

  test.each(['en', 'de', 'fr', 'es', 'pl'])(
    'calls every button in %s what stands on it, so that it can be pressed by voice',
    async (locale) => {
      const { say } = await loadLanguage(locale);
      const named = [
        [say('rewards.redeem'), say('rewards.redeemNamed', { name: 'Tea' })],
        [say('rewards.details'), say('rewards.detailsNamed', { name: 'Tea' })],
        [say('coupon.show'), say('coupon.showNamed', { name: 'Tea' })],
      ] as const;
      for (const [shown, name] of named) expect(name.toLowerCase()).toContain(shown.toLowerCase());
    },
  );

  test('says amounts in the words of their wallet, and in points where it has none', async () => {
    const crumbs = { unit_singular_name: 'Krümel', unit_plural_name: 'Krümel' };
    const german = await loadLanguage('de-DE');
    expect(german.amount(1234.5, crumbs)).toBe('1.234,5 Krümel');
    expect(german.amount(2, null)).toBe('2 Punkte');
    const nameless = { unit_singular_name: null, unit_plural_name: null };
    expect(german.amount(2, { ...nameless, wallet_type_name: 'Krümel' })).toBe('2 Krümel');
    const { amount } = await loadLanguage('en');
    const stars = { unit_singular_name: 'star', unit_plural_name: null };
    expect([1, 2, 1.5].map((value) => amount(value, stars))).toEqual([
      '1 star',
      '2 star',
      '1.5 star',
    ]);
  });
});
