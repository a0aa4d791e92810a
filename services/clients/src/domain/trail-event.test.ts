import { blankEvent, fieldChangeEvent, keepsValues, scrubbed } from './trail-event';

const origin = {
  id: 'e',
  workspaceId: 'w',
  clientId: 'c',
  passId: null,
  clientName: 'Ada',
  timestamp: new Date(0),
  source: 'api',
};

test.each([
  ['status', 'active', 'inactive'],
  ['marketing_consent', true, false],
])('of a client who is gone the trail keeps what became of %s', (field, before, after) => {
  const event = scrubbed(fieldChangeEvent({ field, before, after, custom: false }, origin));
  expect([event.old_value, event.new_value]).toEqual([String(before), String(after)]);
});

test.each([
  ['loyalty_program_enabled', true, false],
  ['first_name', 'Ada', null],
  ['status', 'in love', 'active'],
])('of a client who is gone the trail keeps no value of %s from %s', (field, before, after) => {
  const event = scrubbed(fieldChangeEvent({ field, before, after, custom: false }, origin));
  expect([event.old_value, event.new_value]).toEqual([null, null]);
  const posted = { field_name: field, old_value: String(before), new_value: String(after) };
  expect(keepsValues('field_change', posted)).toBe(false);
});

test('what is no change of a field keeps what it says', () => {
  expect(blankEvent('transaction', 'purchase', origin).keeps_values).toBe(true);
});
