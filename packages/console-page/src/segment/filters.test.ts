import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../format/format';
import type { Names } from '../rule/body';
import { en } from '../words/en';
import { type Filter, isWhole, newFilter, QUESTIONS, questionOf, tellFilter } from './filters';
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
    const filter = newFilter(question, names);
    expect(questionOf(filter, names)).toBe(question);
    expect(tellFilter(filter, telling)).not.toMatch(/undefined|\?|\{/);
  });
  test('says what it asks for in words', () => {
    expect(tellFilter(newFilter('lastVisit', names), telling)).toBe(
      'last purchase at least 60 days ago',
    );
    expect(tellFilter(newFilter('tier', names), telling)).toBe('tier Gold');
  });
  test('calls a tier that is not there any more by no other, and having none by its name', () => {
    const { filter_type } = newFilter('tier', names);
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
    const { filter_type, filter_config } = newFilter(question, names);
    const filter = { filter_type, filter_config: { ...filter_config, value: 1 } } as Filter;
    expect(tellFilter(filter, telling)).toMatch(said);
  });
  test('of an own field is written as the platform reads it', () => {
    const filter = newFilter('custom', names);
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
    expect(isWhole(newFilter('registered', names), names)).toBe(true);
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
      'before a day',
      'client_field',
      { field: 'registration_date', operator: '_lt', value: '2026-01-31' },
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

  test('of some days alone says of which', () => {
    const filter: Filter = {
      filter_type: 'metric',
      filter_config: { metric: 'transaction_count', operator: '_gt', value: 5, period_days: 30 },
    };
    expect(questionOf(filter, names)).toBe('visits');
    expect(tellFilter(filter, telling)).toBe('more than 5 purchases in the last 30 days');
  });
});
