import { createLanguage } from '@laurel/page-kit/language';
import { createFormat } from '../format/format';
import type { Names } from '../rule/body';
import { en } from '../words/en';
import { type Filter, newFilter, QUESTIONS, questionOf, tellFilter } from './filters';

const names: Names = {
  currencies: [{ code: 'beans', name: 'Beans', unit_singular_name: null, unit_plural_name: null }],
  tiers: [{ id: 't', name: 'Gold' }],
  segments: [{ id: 's', name: 'Near' }],
  rewards: [],
  cards: [],
  webhooks: [],
  fields: [{ id: 'milk', name: 'Milk' }],
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
    expect(questionOf(filter)).toBe(question);
    expect(tellFilter(filter, telling)).not.toMatch(/undefined|\?|\{/);
  });
  test('says what it asks for in words', () => {
    expect(tellFilter(newFilter('lastVisit', names), telling)).toBe(
      'last purchase at least 60 days ago',
    );
    expect(tellFilter(newFilter('tier', names), telling)).toBe('tier Gold');
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
    expect(questionOf(filter)).toBeNull();
    expect(tellFilter(filter, telling)).toContain('_contains');
  });
});
