import { LANGUAGES } from '@laurel/contract';
import { defaultActions } from './new-action';

const TYPES = ['add_points', 'remove_points', 'redeem_reward', 'update_client_data'];
const namesIn = (language: (typeof LANGUAGES)[number]) =>
  defaultActions(language, () => 'id').map(({ name }) => name);

test('an app starts with the same four actions in every language, in their order', () => {
  for (const language of LANGUAGES) {
    const ids = TYPES.map((_, place) => `id ${place + 1}`);
    const actions = defaultActions(language, () => ids.shift()!);
    expect(actions.map((one) => [one.id, one.sort_order, one.action_type])).toEqual(
      TYPES.map((type, place) => [`id ${place + 1}`, place, type]),
    );
    for (const { is_enabled, allowed_role_ids } of actions)
      expect([is_enabled, allowed_role_ids]).toEqual([true, null]);
  }
});

test('each action is called by words of the language of the shop, and no two alike', () => {
  expect(namesIn('en')).toEqual([
    'Add points',
    'Remove points',
    'Redeem reward',
    'Update client data',
  ]);
  const names = LANGUAGES.flatMap(namesIn);
  for (const name of names) expect(name).toMatch(/^\p{Lu}.*\p{Ll}$/u);
  expect(new Set(names).size).toBe(names.length);
});
