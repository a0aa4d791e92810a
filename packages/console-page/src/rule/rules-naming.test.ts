import { rulesOffNaming } from './rules-naming';

const [CUP, MUG] = ['0198f3a0-0000-7000-8000-9e1c433f1f43', '0198f3a0-0000-7000-8000-dc7cdfce98e7'];
const giving = (reward_id: string) => [{ type: 'give_reward', reward_id }];

test('a rule that is off names a thing in its effects, its conditions and its formulas', () => {
  const off = { active: false, conditions: [], effects: [] };
  const rules = [
    { ...off, name: 'gives it', effects: giving(CUP) },
    { ...off, name: 'asks for it', conditions: [{ type: 'tier', tier_id: CUP }] },
    {
      ...off,
      name: 'reckons with it',
      conditions: [{ type: 'expression', expression: `client.tier_id == "${CUP}"` }],
    },
    { ...off, name: 'gives another', effects: giving(MUG) },
    { ...off, name: 'is on, which the platform asks itself', active: true, effects: giving(CUP) },
  ];
  expect(rulesOffNaming(rules, CUP).map(({ name }) => name)).toEqual([
    'gives it',
    'asks for it',
    'reckons with it',
  ]);
});
