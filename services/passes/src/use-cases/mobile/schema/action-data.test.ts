import type { Action } from '../../../domain/mobile/mobile-app';
import { checkedActionData } from './action-data';

const asking = (options: unknown[]): Action => ({
  id: 'a-1',
  name: 'Size',
  action_type: 'add_points',
  description: null,
  icon: null,
  action_config: {},
  form_fields: [{ name: 'size', label: 'Size', type: 'select', options }],
  is_enabled: true,
  sort_order: 0,
  allowed_role_ids: null,
});
const answered = (options: unknown[], size: unknown) =>
  checkedActionData(asking(options), { points: 1, size }).answers.size;

test.each([
  ['a text', ['S', 'M'], 'M', 'M'],
  ['a number', [38, 39.5], 39.5, 39.5],
  ['a number that a form sends as text', [38, 39.5], '39.5', 39.5],
  ['a yes that a form sends as text', [true, false], 'true', true],
  ['a text that looks like another option', ['38', 38], '38', '38'],
  ['a value with a label', [{ value: 'm', label: 'Medium' }], 'm', 'm'],
  ['a label without a value', [{ label: 'Medium' }], 'Medium', 'Medium'],
  ['a choice beside what cannot be chosen', [null, {}, { value: null }, 'M'], 'M', 'M'],
  ['any text where nothing can be chosen', [{}, null], 'Medium', 'Medium'],
])('a choice may be %s', (_, options, sent, kept) => {
  expect(answered(options, sent)).toBe(kept);
});

test('what is none of the choices is refused on its field, with what they are', () => {
  expect(() => answered(['S', { value: 2 }, {}], 'L')).toThrow(
    expect.objectContaining({
      problems: [{ field: 'data.size', message: 'data.size must be one of [S, 2]' }],
    }),
  );
});

const ID = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';

test.each([`{${ID}}`, `${ID.slice(0, 9)}${ID.slice(9).replaceAll('-', '')}`, 'x'])(
  'an id is spelt as ids are, or is none: %s',
  (spelt) => {
    const redeem: Action = { ...asking([]), action_type: 'redeem_reward', form_fields: [] };
    const sent = (reward_id: string) => () => checkedActionData(redeem, { reward_id });
    expect(sent(ID.toUpperCase())().own).toMatchObject({ reward_id: ID });
    expect(sent(spelt)).toThrow('must be a UUID');
  },
);
