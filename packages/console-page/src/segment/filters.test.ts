import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../format/format';
import type { Names } from '../rule/body';
import { en } from '../words/en';
import { comparedBy, type DayOperator } from './day';
import {
  configOf,
  type Filter,
  isWhole,
  newFilter,
  QUESTIONS,
  questionOf,
  tellFilter,
} from './filters';
import { askOwn, writeOwn } from './own-field';

const names: Names = {
  currencies: [{ code: 'beans', name: 'Beans', unit_singular_name: null, unit_plural_name: null }],
  tiers: [{ id: 't', name: 'Gold' }],
  segments: [{ id: 's', name: 'Near' }],
  rewards: [],
  cards: [],
  webhooks: [],
  fields: [
    { id: 'milk', name: 'Milk' },
    { id: 'kids', name: 'Kids', type: 'number' },
    { id: 'vegan', name: 'Vegan', type: 'boolean' },
    { id: 'wedding', name: 'Wedding', type: 'date' },
    { id: 'shop', name: 'Shop', type: 'select', options: ['Harbour', 'Station'] },
  ],
  usualRate: 1,
};
const telling = {
  say: createLanguage('en-GB', en).say,
  format: createFormat('en-GB', 'UTC', 'EUR'),
  names,
};

describe('a filter', () => {
  test.each(QUESTIONS)('that asks for %s is shown by the form that made it', (question) => {
    const filter = newFilter(question, names, 'UTC');
    expect(questionOf(filter, names)).toBe(question);
    expect(tellFilter(filter, telling)).not.toMatch(/undefined|\?|\{/);
  });
  test('says what it asks for in words', () => {
    expect(tellFilter(newFilter('lastVisit', names, 'UTC'), telling)).toBe(
      'last purchase at least 60 days ago',
    );
    expect(tellFilter(newFilter('tier', names, 'UTC'), telling)).toBe('tier Gold');
  });
  test('calls a tier that is not there any more by no other, and having none by its name', () => {
    const { filter_type } = newFilter('tier', names, 'UTC');
    const asking = (tier_ids: string[] | 'untiered') =>
      tellFilter({ filter_type, filter_config: { tier_ids } } as Filter, telling);
    expect(asking(['t', 'gone'])).toBe('tier Gold, ?');
    expect(asking(['untiered'])).toBe('tier None');
    expect(asking('untiered')).toBe('tier None');
  });
  test.each([
    ['lastVisit', 'last purchase at least 1 day ago'],
    ['visits', /at least 1 purchase\b/],
  ] as const)('of %s speaks of one as of one', (question, said) => {
    const { filter_type, filter_config } = newFilter(question, names, 'UTC');
    const filter = { filter_type, filter_config: { ...filter_config, value: 1 } } as Filter;
    expect(tellFilter(filter, telling)).toMatch(said);
  });
  test('of an own field is written as the platform reads it', () => {
    const filter = newFilter('custom', names, 'UTC');
    expect(filter.filter_config).toEqual({
      custom_field_filters: { milk: { operator: '_eq', value: '' } },
    });
    expect(tellFilter(filter, telling)).toBe('Milk = ');
  });
  test('that no form knows is shown as it is', () => {
    const filter: Filter = {
      filter_type: 'client_field',
      filter_config: { field: 'email', operator: '_contains', value: '@' },
    };
    expect(questionOf(filter, names)).toBeNull();
    expect(tellFilter(filter, telling)).toContain('_contains');
  });

  test('whose day is still being typed says so, and is not counted by yet', () => {
    const filter: Filter = {
      filter_type: 'client_field',
      filter_config: { field: 'registration_date', operator: '_gte', value: '' },
    };
    expect(tellFilter(filter, telling)).toBe('customer since …');
    expect(isWhole(filter, names)).toBe(false);
    expect(isWhole(newFilter('registered', names, 'UTC'), names)).toBe(true);
  });

  test.each([
    ['milk', { operator: '_eq', value: '' }, 'Milk = '],
    ['kids', { operator: '_eq', value: 0 }, 'Kids exactly 0'],
    ['vegan', { operator: '_eq', value: true }, 'Vegan: Yes'],
    ['wedding', { operator: '_gte', value: '' }, 'Wedding since …'],
    ['shop', { operator: '_eq', value: 'Harbour' }, 'Shop = Harbour'],
  ])('of the own field %s asks for what the field holds', (field, asked, sentence) => {
    const filter: Filter = {
      filter_type: 'custom_field',
      filter_config: {
        custom_field_filters: writeOwn(askOwn(names.fields.find(({ id }) => id === field))),
      },
    };
    expect(filter.filter_config).toEqual({ custom_field_filters: { [field]: asked } });
    expect(questionOf(filter, names)).toBe('custom');
    expect(tellFilter(filter, telling)).toBe(sentence);
    expect(isWhole(filter, names)).toBe(field !== 'wedding');
  });

  test.each<[string, Filter['filter_type'], object]>([
    ['of one card among several', 'pass', { has_pass: true, pass_template_ids: ['t'] }],
    ['of cards on phones', 'pass', { has_pass: true, installed: true }],
    [
      'of what was ever earned',
      'wallet_balance',
      { wallet_type_code: 'beans', balance: 'earned', operator: '_gte', value: 1 },
    ],
    [
      'after a day',
      'client_field',
      { field: 'registration_date', operator: '_gt', value: '2026-01-31' },
    ],
    [
      'of a number in words',
      'custom_field',
      { custom_field_filters: { kids: { operator: '_eq', value: '2' } } },
    ],
  ])(
    'that asks for more than a form can show is shown as it is: %s',
    (_, filter_type, filter_config) => {
      const filter = { filter_type, filter_config } as Filter;
      expect(questionOf(filter, names)).toBeNull();
      expect(tellFilter(filter, telling)).toBe(JSON.stringify(filter_config));
    },
  );

  test.each([null, [], {}, { any: [] }])(
    'is asked by its form where it says %j beside what that shows',
    (nothing) => {
      const config = { has_pass: true, pass_template_ids: nothing };
      const filter = { filter_type: 'pass', filter_config: config } as unknown as Filter;
      expect(questionOf(filter, names)).toBe('card');
    },
  );

  const NEW_YORK = createFormat('en-GB', 'America/New_York', 'EUR');
  const registered = (operator: string, value: string): Filter => ({
    filter_type: 'client_field',
    filter_config: { field: 'registration_date', operator, value } as never,
  });

  test.each([
    ['_gte', '2026-05-01T04:00:00.000Z', 'customer since 1 May 2026'],
    ['_lt', '2026-05-01T04:00:00.000Z', 'customer before 1 May 2026'],
    ['_lte', '2026-05-02T03:59:59.999Z', 'customer since 1 May 2026 or earlier'],
    ['_gte', '2026-05-01T00:00:00Z', 'customer since 30 Apr 2026, 20:00'],
    // Written by hand, or by a console that wrote days of UTC.
    ['_lt', '2026-05-01', 'customer before 1 May 2026 (UTC)'],
    ['_lte', '2026-05-01', 'customer since 1 May 2026 (UTC) or earlier'],
  ])('by the day of registration says which of them it counts: %s %s', (operator, value, said) => {
    const filter = registered(operator, value);
    expect(questionOf(filter, names)).toBe('registered');
    expect(tellFilter(filter, { ...telling, format: NEW_YORK })).toBe(said);
  });

  test('by the day of registration counts by days of the workspace, also compared another way', () => {
    const zone = 'America/New_York';
    const [begins, ends] = ['2026-05-01T04:00:00.000Z', '2026-05-02T03:59:59.999Z'];
    const of = (operator: DayOperator, value: string) => ({ operator, value });
    expect(comparedBy('_lt', of('_gte', begins), zone)).toBe(begins);
    expect(comparedBy('_lte', of('_lt', begins), zone)).toBe(ends);
    expect(comparedBy('_gte', of('_lte', ends), zone)).toBe(begins);
    expect(comparedBy('_gte', of('_lte', '2026-05-01'), zone)).toBe(begins);
    expect(comparedBy('_lt', of('_gte', ''), zone)).toBe('');
    const { value } = configOf(newFilter('registered', names, zone));
    expect(tellFilter(registered('_gte', String(value)), { ...telling, format: NEW_YORK })).toMatch(
      /^customer since \d+ \w+ \d{4}$/,
    );
  });

  test.each([
    ['_lt', 'Wedding before 1 May 2026'],
    ['_lte', 'Wedding on or before 1 May 2026'],
  ] as const)(
    'by a day of an own field says whether that day counts, too: %s',
    (operator, said) => {
      const asked = { field: 'wedding', kind: 'date' as const, operator, value: '2026-05-01' };
      const filter: Filter = {
        filter_type: 'custom_field',
        filter_config: { custom_field_filters: writeOwn(asked) },
      };
      expect(questionOf(filter, names)).toBe('custom');
      expect(tellFilter(filter, telling)).toBe(said);
    },
  );

  test('of some days alone says of which', () => {
    const filter: Filter = {
      filter_type: 'metric',
      filter_config: { metric: 'transaction_count', operator: '_gt', value: 5, period_days: 30 },
    };
    expect(questionOf(filter, names)).toBe('visits');
    expect(tellFilter(filter, telling)).toBe('more than 5 purchases in the last 30 days');
  });
});
