import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { automations as api } from '@laurel/rpc';
import { Harness } from '../testing/harness';
import { simulate } from './simulate';

let base: Harness;
let harness: Harness;
beforeAll(async () => {
  base = await Harness.open();
});
beforeEach(() => {
  harness = base.inNewWorkspace();
});
afterAll(() => base.close());

const earn = (amount: number) => ({
  type: 'earn_points',
  wallet_type_code: 'points',
  amount_type: 'fixed',
  amount,
});
const purchase = { trigger_type: 'transaction', event_type: 'purchase', amount: 10, metadata: {} };
const ask = (client_id: string, event: api.SyntheticEvent = purchase) =>
  simulate(harness.deps, { workspace_id: harness.workspaceId, client_id, event });
const transaction = (fields: api.RuleFields) =>
  harness.newRule({ trigger_type: 'transaction', ...fields });
const summaries = (rules: readonly api.MatchedRule[]) =>
  rules.map(({ effects }) => effects.map(({ summary }) => summary));

test('a reward that a client may have once is given once, in one rule and by several', async () => {
  const [once, twice] = [newId(), newId()];
  const { rewards } = harness.deps;
  rewards.GetRewards = async ({ ids }) => ({ rewards: ids.map((id) => ({ id })) }) as never;
  rewards.QuoteGift = async ({ reward_id, given_before = 0 }) => {
    if (given_before < (reward_id === once ? 1 : 2)) return { points_cost: 0 };
    throw platform.conflict({ message: 'the client has had it' });
  };
  const give = (reward_id: string) => ({ type: 'give_reward', reward_id });
  await transaction({ priority: 1, effects: [give(twice), give(twice), earn(1)] });
  await transaction({ priority: 2, effects: [give(once), give(twice), earn(2)] });
  await transaction({ priority: 3, effects: [give(once), earn(3)] });
  const { matched, total_points } = await ask(harness.newClient());
  const no = 'giving the reward would be refused: the client has had it';
  expect(summaries(matched)).toEqual([
    ['give a reward', 'give a reward', 'earn 1 points'],
    ['give a reward', no],
    [no],
  ]);
  expect(total_points).toBe(1);
});

test('what the clients or tiers service would refuse ends the effects of its rule, and is asked once', async () => {
  const { clients, tiers } = harness.deps;
  const asked: unknown[] = [];
  tiers.GetTiers = async ({ ids }) =>
    ({ tiers: ids.map((id) => ({ id, kind: 'exclusive' })) }) as never;
  clients.QuoteUpdate = async (request) => {
    asked.push(request);
    throw platform.conflict({ message: 'the address is taken' });
  };
  tiers.QuoteAssignment = async (request) => {
    asked.push(request);
    throw platform.conflict({ message: 'the client is not enrolled' });
  };
  const [client, tier_id] = [harness.newClient(), newId()];
  const move = {
    type: 'update_client_field',
    field_name: 'email',
    value_expression: '"a@b.example"',
  };
  const assign = { type: 'assign_tier', tier_id, duration_days: 3 };
  for (const priority of [1, 2]) {
    await transaction({ priority, effects: [move, earn(1)] });
    await transaction({ priority, effects: [assign, earn(1)] });
  }
  const { matched, total_points } = await ask(client);
  const [first, second] = [
    ['changing the client would be refused: the address is taken'],
    ['assigning the tier would be refused: the client is not enrolled'],
  ];
  expect(summaries(matched)).toEqual([first, second, first, second]);
  expect(total_points).toBe(0);
  const workspace_id = harness.workspaceId;
  expect(asked).toEqual([
    { workspace_id, id: client, email: 'a@b.example', change_source: 'automation' },
    { workspace_id, client_id: client, tier_id, duration_days: 3 },
  ]);
});
