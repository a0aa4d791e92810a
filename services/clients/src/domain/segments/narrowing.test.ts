import { at, person } from '../../testing/segment-profiles';
import { ALWAYS, complies, NEVER } from './criterion';
import { type ColumnFilter, isNarrowed, type Narrowing, narrowingCriterion } from './narrowing';
import { withPasses, withTier } from './profile-changes';

const NOTHING: Narrowing = { tierIds: [], customFields: [] };
const ann = withTier(
  withPasses(person({ status: 'active', source: 'import', custom_fields: { 'shoe.size': 42 } }), [
    { id: 'p', template_id: 't', installed: false },
  ]),
  'gold',
  { revision: 1, at: at(1) },
);
const isListed = (
  narrowing: Partial<Narrowing>,
  columns: ColumnFilter = {},
  profile = ann,
  segment = ALWAYS,
) => complies(profile, narrowingCriterion({ ...NOTHING, ...narrowing }, columns, segment));
const withField = (value: string | number | boolean | string[]) =>
  person({ custom_fields: { field: value } });
const hasField = (profile: typeof ann, ...values: string[]) =>
  isListed({ customFields: [{ name: 'field', values }] }, {}, profile);

test('a list asks profiles only where it asks for more than columns', () => {
  expect(isNarrowed(NOTHING)).toBe(false);
  expect(isNarrowed({ ...NOTHING, segmentId: 's' })).toBe(true);
  expect(isNarrowed({ ...NOTHING, hasPass: false })).toBe(true);
  expect(isNarrowed({ ...NOTHING, tierIds: ['gold'] })).toBe(true);
  expect(isNarrowed({ ...NOTHING, customFields: [{ name: 'size', values: ['S'] }] })).toBe(true);
});

test('a list that asks for nothing has everybody of its segment', () => {
  expect(isListed({})).toBe(true);
  expect(isListed({}, {}, person())).toBe(true);
  expect(isListed({}, {}, ann, NEVER)).toBe(false);
});

test('a list by tier has who is in one of the tiers, or in none where that is asked', () => {
  expect(isListed({ tierIds: ['silver', 'gold'] })).toBe(true);
  expect(isListed({ tierIds: ['silver'] })).toBe(false);
  expect(isListed({ tierIds: ['untiered'] })).toBe(false);
  expect(isListed({ tierIds: ['untiered', 'gold'] }, {}, person())).toBe(true);
});

test('a list of those with a pass leaves out those without one, and the other way round', () => {
  expect(isListed({ hasPass: true })).toBe(true);
  expect(isListed({ hasPass: false })).toBe(false);
  expect(isListed({ hasPass: true }, {}, person())).toBe(false);
  expect(isListed({ hasPass: false }, {}, person())).toBe(true);
});

test('a list by columns has who complies with each of them, the ends of the time among them', () => {
  expect(isListed({}, { status: 'active' })).toBe(true);
  expect(isListed({}, { status: 'inactive' })).toBe(false);
  expect(isListed({}, { source: 'import' })).toBe(true);
  expect(isListed({}, { source: 'api' })).toBe(false);
  expect(isListed({}, { from: at(100), to: at(100) })).toBe(true);
  expect(isListed({}, { from: at(99) })).toBe(false);
  expect(isListed({}, { to: at(101) })).toBe(false);
});

test('a custom field is found by what its value looks like, whether it is a text, a number or a truth', () => {
  expect(hasField(withField('5'), '5')).toBe(true);
  expect(hasField(withField(5), '5')).toBe(true);
  expect(hasField(withField(5), '5.0')).toBe(false);
  expect(hasField(withField('x'), 'x')).toBe(true);
  for (const truth of [true, false]) {
    expect(hasField(withField(truth), String(truth))).toBe(true);
    expect(hasField(withField(truth), String(!truth))).toBe(false);
    expect(hasField(withField(String(truth)), String(truth))).toBe(true);
  }
});

test('a custom field has one of the values, a list in it has one of them as a member', () => {
  expect(hasField(withField('b'), 'a', 'b')).toBe(true);
  expect(hasField(withField('c'), 'a', 'b')).toBe(false);
  expect(hasField(withField(['c', 'b']), 'a', 'b')).toBe(true);
  expect(hasField(person(), 'a')).toBe(false);
});

test('all custom fields of a list must fit, those with a dot in their name as well', () => {
  const size = { name: 'shoe.size', values: ['42'] };
  expect(isListed({ customFields: [size] })).toBe(true);
  expect(isListed({ customFields: [size, { name: 'colour', values: ['red'] }] })).toBe(false);
});
