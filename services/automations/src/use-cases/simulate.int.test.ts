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
const spend = (amount: number) => ({
  type: 'deduct_points',
  wallet_type_code: 'points',
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
    if (given_before < (reward_id === once ? 1 : 2)) return { points_cost: 0, reward_name: 'Cup' };
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

test('says of segments that they are those from before the event, where a rule that hears of it asks', async () => {
  const regulars = { conditions: [{ type: 'segment', segment_id: newId() }], effects: [earn(1)] };
  await transaction({ ...regulars, active: false });
  await transaction({ ...regulars, trigger_config: { min_amount: 11 } });
  expect((await ask(harness.newClient())).approximations).toEqual([]);
  await transaction(regulars);
  expect((await ask(harness.newClient())).approximations).toEqual(['segments']);
});

test('a segment sees what rules before would have earned', async () => {
  harness.deps.segments.containing = async (_workspaceId, ids, { standing = { wallets: [] } }) =>
    standing.wallets.some(({ earned }) => earned >= 100) ? [...ids] : [];
  const conditions = [{ type: 'segment', segment_id: newId() }];
  await transaction({ name: 'early', priority: 1, conditions });
  await transaction({ name: 'earning', priority: 2, effects: [earn(60)] });
  await transaction({ name: 'again', priority: 3, effects: [earn(40)] });
  await transaction({ name: 'late', priority: 4, conditions });
  const { matched } = await ask(harness.newClient());
  expect(matched.map(({ name }) => name)).toEqual(['earning', 'again', 'late']);
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

describe('what would follow', () => {
  const loyal = (event_types: string[], fields: api.RuleFields) =>
    harness.newRule({ trigger_type: 'loyalty', trigger_config: { event_types }, ...fields });
  const told = ({ following }: api.Simulation) =>
    following.map(({ rule, event_type, caused_by_rule_id }) => [
      rule!.name,
      event_type,
      caused_by_rule_id,
      rule!.points,
    ]);

  test('foretells what effects do, each rule seeing what those before it changed', async () => {
    harness.fieldNames = ['tried'];
    const tier = { id: newId(), name: 'Gold', kind: 'exclusive' };
    const { rewards, tiers } = harness.deps;
    tiers.ListTiers = async () => ({ tiers: [tier] }) as never;
    tiers.GetTiers = async () => ({ tiers: [tier] }) as never;
    rewards.GetRewards = async ({ ids }) => ({ rewards: ids.map((id) => ({ id })) }) as never;
    const first = await transaction({
      name: 'Purchase',
      effects: [
        earn(7),
        { type: 'give_reward', reward_id: newId() },
        { type: 'update_client_field', field_name: 'tried', value_expression: '"yes"' },
        { type: 'assign_tier', tier_id: tier.id },
      ],
    });
    const when = (expression: string) => [{ type: 'expression', expression }];
    await loyal(['points_earned'], {
      name: 'Earned',
      conditions: when(
        'event.amount == 7 && wallet.points.active == 7 && event.metadata.balance_after == 7 && metrics.transaction_count == 1 && metrics.days_since_last_transaction == 0',
      ),
      effects: [{ type: 'deduct_points', wallet_type_code: 'points', amount: 2 }],
    });
    await loyal(['reward_redeemed'], { name: 'Redeemed' });
    await loyal(['tier_promoted'], {
      name: 'Promoted',
      conditions: when('event.metadata.tier_name == "Gold" && tier.level == 1'),
    });
    await loyal(['points_spent'], {
      name: 'Spent',
      conditions: when('event.amount == 2 && wallet.points.active == 20'),
      effects: [earn(1)],
    });
    await loyal(['points_spent'], { name: 'Never', conditions: when('event.amount == 7') });
    await harness.newRule({
      name: 'Tried',
      trigger_type: 'field_change',
      trigger_config: { field_names: ['tried'], change_direction: 'to_value', value: 'yes' },
    });
    const client = harness.newClient();
    const simulation = await ask(client);
    expect(simulation).toMatchObject({ total_points: 7, is_cut: false });
    const { id } = first;
    expect(told(simulation)).toEqual([
      ['Earned', 'points_earned', id, 0],
      ['Redeemed', 'reward_redeemed', id, 5],
      ['Tried', 'field_updated', id, 5],
      ['Promoted', 'tier_promoted', id, 5],
      ['Spent', 'points_spent', expect.any(String), 1],
    ]);
    expect(await harness.executions({ clientId: client })).toEqual([]);
  });

  test('ends where chains of rules end: no rule in its own chain, and none too deep', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await loyal(['points_earned'], {
        name,
        effects: [earn(1)],
        limits: { executions_per_client: { interval: 'lifetime', value: 1 } },
      });
    await transaction({ name: 'first', effects: [earn(1)] });
    const simulation = await ask(harness.newClient());
    expect(told(simulation).map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    for (const { id } of await harness.deps.rules.list(harness.workspaceId))
      await harness.deps.rules.remove((await harness.deps.rules.find(harness.workspaceId, id))!);
    await loyal(['points_earned'], { name: 'earned', effects: [spend(1)] });
    await loyal(['points_spent'], { name: 'spent', effects: [earn(1)] });
    await transaction({ name: 'again', effects: [earn(1)] });
    expect(told(await ask(harness.newClient())).map(([name]) => name)).toEqual(['earned', 'spent']);
  });
});

test('a refund that names its sale says what it takes back and what is left, and rules see the balance after it', async () => {
  const { clients, ledger } = harness.deps;
  const event = { trigger_type: 'transaction', event_type: 'refund', amount: 4, metadata: {} };
  const client = harness.newClient();
  const order = { event_ids: ['e1', 'e2'], names: ['o1'], paid: 20, refunded: 4 };
  const sales = {
    event_ids: ['e1'],
    names: ['e1', 'r1'],
    paid: 8,
    shared: [order],
    merging: ['c'],
  };
  const none = { event_ids: [], names: [], paid: 0, shared: [], merging: [] };
  clients.QuoteRefundLink = async ({ original_external_id: name }) => {
    if (name === 'r1') return { state: 'linked', ...sales, left: 6 };
    if (name === 'r2') return { state: 'exceeds', ...none, left: 1 };
    return { state: name ? 'not_found' : null, ...none };
  };
  ledger.QuoteRefund = async (request) => {
    expect(request).toEqual({
      workspace_id: harness.workspaceId,
      client_id: client,
      ...sales,
      refunded: 4,
    });
    return { taken: [{ wallet_type_code: 'points', amount: -5, pending: -2 }] };
  };
  await transaction({
    trigger_config: { event_types: ['refund'] },
    conditions: [{ type: 'expression', expression: 'wallet.points.active == -3' }],
  });
  const named = await ask(client, { ...event, original_external_id: 'r1' });
  expect(named.refund).toEqual({
    link: 'linked',
    taken: [{ wallet_type_code: 'points', amount: -5, pending: -2 }],
    left: 6,
  });
  expect(named.matched).toHaveLength(1);
  const tooMuch = await ask(client, { ...event, original_external_id: 'r2' });
  expect(tooMuch.refund).toEqual({ link: 'exceeds', taken: [], left: 1 });
  const strange = await ask(client, { ...event, original_external_id: 'other' });
  expect(strange.refund).toEqual({ link: 'not_found', taken: [] });
  expect(strange.matched).toHaveLength(0);
  expect(await ask(client, event)).not.toHaveProperty('refund');
  await expect(ask(client, { ...purchase, original_external_id: 'r1' })).rejects.toMatchObject({
    problems: [{ field: 'event.original_external_id' }],
  });
});

test.each([
  ['anonymized', purchase, 'the client is anonymized'],
  ['inactive', { trigger_type: 'time_based', event_type: 'schedule' }, 'the client is not active'],
] as const)(
  'of an %s client it tells nothing that no rule would do',
  async (status, event, detail) => {
    const trigger_config = { schedule: { cron: '0 9 * * *' } };
    const timed = event.trigger_type === 'time_based';
    await harness.newRule({
      trigger_type: event.trigger_type,
      effects: [earn(5)],
      ...(timed ? { trigger_config } : {}),
    } as never);
    const { matched, skipped } = await ask(harness.newClient({ status }), event as never);
    expect(matched).toEqual([]);
    expect(skipped).toMatchObject([{ reason: 'condition_failed', detail }]);
    const active = await ask(harness.newClient(), event as never);
    expect(active.matched).toHaveLength(1);
  },
);
