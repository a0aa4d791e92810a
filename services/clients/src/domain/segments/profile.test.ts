import { at, isIn, person, row } from '../../testing/segment-profiles';
import type { FieldDefinition } from '../data-model';
import type { Comparison } from './filter';
import { newestEvent } from './profile';
import { withEvent } from './profile-changes';

const active = ['transaction', 'engagement', 'custom'];

test('the newest event of some categories comes by its own name, whatever else happened since', () => {
  const profile = [
    row('engagement', 'scan', at(9)),
    row('custom', 'v1.$ign-up 100%', at(3)),
    row('transaction', 'purchase', at(5)),
    row('loyalty', 'points_earned', at(1)),
  ].reduce(withEvent, person());
  expect(newestEvent(profile.times, active)).toEqual({
    category: 'custom',
    type: 'v1.$ign-up 100%',
    at: at(3),
  });
  expect(newestEvent(profile.times, ['transaction'])).toMatchObject({ type: 'purchase' });
  expect(newestEvent(profile.times, ['referral'])).toBeNull();
});

test('what a campaign did to a client, and a refund, are nothing that the client did', () => {
  const profile = [
    row('transaction', 'purchase', at(9)),
    row('transaction', 'refund', at(3)),
    row('custom', 'campaign_push_notification', at(1)),
  ].reduce(withEvent, person());
  expect(newestEvent(profile.times, active)).toMatchObject({ type: 'purchase', at: at(9) });
});

test('where nothing happened, or all of it was deleted from the trail, nothing is the newest', () => {
  expect(newestEvent({}, active)).toBeNull();
  expect(newestEvent({ custom: [], 'custom a': [] }, active)).toBeNull();
});

const custom = (
  value: unknown,
  operator: Comparison['operator'],
  ...asked: [Comparison['value']?]
) => {
  const profile = person({ custom_fields: { field: value } as object as Record<string, string> });
  const [operand] = asked;
  const comparison = operand === undefined ? { operator } : { operator, value: operand };
  return isIn(profile, 'custom_field', { custom_field_filters: { field: comparison } });
};

test('a custom field that is null is as one that is not there', () => {
  expect(custom(null, '_null')).toBe(true);
  expect(custom(null, '_nnull')).toBe(false);
  expect(custom('a', '_nnull')).toBe(true);
  expect(custom(0, '_nnull')).toBe(true);
});

test('of an object it is known only that it is there; of a list its plain members compare', () => {
  expect(custom({ a: 1 }, '_nnull')).toBe(true);
  expect(custom({ a: 1 }, '_eq', 1)).toBe(false);
  expect(person({ custom_fields: { field: { a: 1 } } }).custom_fields).toEqual({ field: {} });
  expect(custom(['a', 5, null, { b: 1 }, ['c']], '_eq', 5)).toBe(true);
  expect(custom(['a', 5, null, { b: 1 }, ['c']], '_eq', 'c')).toBe(false);
  expect(custom(['a', null], '_null')).toBe(false);
  expect(custom([{ a: 1 }, 'a'], '_eq', 'a')).toBe(true);
});

test('of a field that became one of days, values that are no days are not compared', () => {
  const born = { field_name: 'born', field_type: 'date', options: [] as string[] };
  const isLater = (value: string | number) =>
    isIn(
      person({ custom_fields: { born: value } }),
      'custom_field',
      { custom_field_filters: { born: { operator: '_gt', value: '2000-01-01' } } },
      { definitions: [born as FieldDefinition] },
    );
  expect(isLater('2001-05-01')).toBe(true);
  expect(isLater('May 2001')).toBe(false);
  expect(isLater(5)).toBe(false);
});

test('a moment of a custom field without a zone is in UTC, wherever the machine stands', () => {
  const definition = { field_name: 'due', field_type: 'date', options: [] as string[] };
  const isDue = (value: string) =>
    isIn(
      person({ custom_fields: { due: '2026-03-01T10:00' } }),
      'custom_field',
      { custom_field_filters: { due: { operator: '_eq', value } } },
      { definitions: [definition as FieldDefinition] },
    );
  expect(isDue('2026-03-01T10:00:00Z')).toBe(true);
  expect(isDue('2026-03-01T10:00')).toBe(true);
  expect(isDue('2026-03-01T13:30:00Z')).toBe(false);
});

test('a client has custom fields where one of them has a value', () => {
  const has = (fields: Record<string, string | null>) =>
    isIn(person({ custom_fields: fields }), 'client_field', {
      field: 'custom_fields',
      operator: '_nnull',
    });
  expect(has({ a: 'x' })).toBe(true);
  expect(has({ a: null })).toBe(false);
  expect(has({})).toBe(false);
});

test('a birth date is a day; who has none, or one that is no day, is not compared', () => {
  const born = (birth_date: string | null, operator: Comparison['operator'], value?: string) =>
    isIn(person({ birth_date }), 'client_field', {
      field: 'birth_date',
      operator,
      ...(value === undefined ? {} : { value }),
    });
  expect(born('1990-05-01', '_eq', '1990-05-01')).toBe(true);
  expect(born('1990-05-01', '_lt', '1990-05-01')).toBe(false);
  expect(born(null, '_lt', '1990-05-01')).toBe(false);
  expect(born(null, '_null')).toBe(true);
  expect(born('unknown', '_null')).toBe(true);
});
