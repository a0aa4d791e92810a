import { propertySettings, until } from '@laurel/testing';
import fc from 'fast-check';
import type { Reply } from './support/api';
import { expectStatus, newWalletType, newWorkspace, type TestWorkspace } from './support/factories';
import {
  type Device,
  type Holder,
  newAction,
  newApp,
  newDevice,
  newHolder,
} from './support/mobile';

let workspace: TestWorkspace;
let device: Device;
let types: { id: string; code: string }[];
let actions: Record<string, string>;

/** Wallets without a bound, with a cap, and such as may go below zero. */
const CAP = 20;
beforeAll(async () => {
  workspace = await newWorkspace();
  types = [
    await newWalletType(workspace, { code: 'beans' }),
    await newWalletType(workspace, { code: 'capped', max_balance: CAP }),
    await newWalletType(workspace, { code: 'loan', allow_negative_balance: true, max_balance: 5 }),
  ];
  const { actions: given } = await newApp(workspace);
  // Such an action asks for something to give.
  expectStatus(await workspace.post(':ws/rewards', { name: 'Cup', cost_in_points: 1 }), 200);
  const gift = await newAction(workspace, { action_type: 'grant_reward' });
  const known: { id: string; action_type: string }[] = [...given, gift];
  actions = Object.fromEntries(known.map(({ id, action_type }) => [action_type, id]));
  device = await newDevice(workspace);
});

const post = (way: 'quote' | 'execute', type: string, { pass }: Holder, data: object) =>
  device.post(`/mobile-app-actions/${actions[type]}/${way}`, { pass_id: pass.id, data });

/** What was refused, with all that a caller may go by. */
const refusalOf = ({ status, body }: Reply) => ({
  status,
  errors: body.errors.map(({ message, extensions }: Record<string, unknown>) => ({
    message,
    extensions,
  })),
});
const balancesOf = (reply: Reply): Record<string, number> =>
  Object.fromEntries(
    reply.body.data.balances.map(
      ({ wallet_type_code: code, active_balance }: Record<string, unknown>) => [
        code,
        active_balance,
      ],
    ),
  );

/** Asks and does at once: refused alike, or the wallet that was named moved by the points that were named. */
async function quoteThenExecute(holder: Holder, type: string, data: object): Promise<void> {
  const quote = await post('quote', type, holder, data);
  const done = await post('execute', type, holder, data);
  if (quote.status !== 200 || done.status !== 200) {
    expect(refusalOf(quote)).toEqual(refusalOf(done));
    return;
  }
  const { effects } = quote.body.data;
  expect(effects).toHaveLength(1);
  const [{ wallet_type_code: code, points }] = effects;
  const moved: Record<string, number> =
    code === null ? {} : { [code]: balancesOf(quote)[code]! + points };
  const after = { ...balancesOf(quote), ...moved };
  for (const [name, balance] of Object.entries(balancesOf(done)))
    expect(balance).toBeCloseTo(after[name]!, 4);
  if (type === 'grant_reward') expect({ code, points }).toEqual({ code: null, points: null });
  if (type === 'redeem_reward')
    expect(0 - points).toBe(done.body.data.result.redemption.points_spent);
  if (type.endsWith('_points')) expect(points).toBe(done.body.data.result.amount);
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const offers = fc.record({
  cost_in_points: fc.integer({ min: 0, max: 4 }),
  wallet: fc.option(fc.nat({ max: 2 })),
  purchasable: fc.constantFrom(true, true, false),
  active: fc.constantFrom(true, true, true, false),
  usage_limit: maybe(fc.integer({ min: 1, max: 3 })),
  usage_limit_per_client: maybe(fc.integer({ min: 1, max: 2 })),
});
const amounts = fc.oneof(
  fc.integer({ min: 1, max: 120_000 }).map((units) => units / 10_000),
  fc.constantFrom(100_000_000_000, CAP),
);
const steps = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('add_points', 'add_points', 'remove_points'),
      points: amounts,
      wallet: fc.nat({ max: 2 }),
    }),
    fc.record({ type: fc.constantFrom('redeem_reward', 'redeem_reward', 'grant_reward') }),
  ),
  { minLength: 4, maxLength: 10 },
);

test('what is quoted is what then comes of it: the same refusal, or the same figures', async () => {
  await fc.assert(
    fc.asyncProperty(offers, steps, async ({ wallet, ...offer }, happenings) => {
      const holder = await newHolder(workspace);
      const body = { name: 'Cup', wallet_type_id: wallet === null ? null : types[wallet]!.id };
      const reward = await workspace.post(':ws/rewards', { ...body, ...offer });
      const reward_id = expectStatus(reward, 200).body.data.id;
      for (const step of happenings) {
        const data =
          'points' in step
            ? { points: step.points, wallet_type_code: types[step.wallet]!.code }
            : { reward_id };
        await quoteThenExecute(holder, step.type, data);
      }
    }),
    { ...propertySettings(6), endOnFailure: true },
  );
});

test('a purchase is foretold as far as it fits under the cap of the wallet', async () => {
  const earn = {
    type: 'earn_points',
    wallet_type_code: 'capped',
    amount_type: 'expression',
    amount_expression: 'event.amount',
  };
  const rule = { name: 'Per euro', trigger_type: 'transaction', effects: [earn] };
  expectStatus(await workspace.post(':ws/automations', rule), 201);
  actions.add_transaction = (await newAction(workspace, { action_type: 'add_transaction' })).id;
  const holder = await newHolder(workspace);
  const points = async (amount: number) =>
    expectStatus(await post('quote', 'add_transaction', holder, { amount }), 200).body.data
      .effects[0].points;
  expect(await points(CAP - 1)).toBe(CAP - 1);
  expect(await points(CAP + 1)).toBe(CAP);
  const full = { points: CAP, wallet_type_code: 'capped' };
  expectStatus(await post('execute', 'add_points', holder, full), 200);
  expect(await points(1)).toBeNull();
});

test('a change of data or of a tier is refused by its quote as it is when it is done', async () => {
  expectStatus(await workspace.post(':ws/tiers/set', { name: 'Levels' }), 201);
  const tier = await workspace.post(':ws/tiers', {
    name: 'Vip',
    kind: 'exclusive',
    condition_values: {},
  });
  const data = { tier_id: expectStatus(tier, 201).body.data.id };
  const config = { allow_duration: true };
  const made = [
    await newAction(workspace, { action_type: 'change_tier', action_config: config }),
    await newAction(workspace, { action_type: 'update_client_data' }),
  ];
  for (const { id, action_type } of made) actions[action_type] = id;
  const enrolled = await newHolder(workspace);
  const guest = await newHolder(workspace, { person: { loyalty_program_enabled: false } });
  const taken = { fields: { email: enrolled.client.email } };
  const wishes = [
    ['change_tier', enrolled, data, 200],
    ['change_tier', enrolled, { ...data, duration_days: 0 }, 400],
    ['change_tier', guest, data, 400],
    ['update_client_data', enrolled, taken, 200],
    ['update_client_data', guest, taken, 400],
    ['update_client_data', guest, { fields: { first_name: 'Bo' } }, 200],
  ] as const;
  for (const [type, holder, wish, status] of wishes) {
    const quote = await post('quote', type, holder, wish);
    const done = await post('execute', type, holder, wish);
    expect([quote.status, done.status]).toEqual([status, status]);
    if (status === 200) expect(quote.body.data.effects).toEqual([]);
    else expect(refusalOf(quote)).toEqual(refusalOf(done));
  }
});

test('a refund says beforehand what it then takes back, and the quote of a change says what rules make of it', async () => {
  const refund = await newAction(workspace, {
    action_type: 'add_transaction',
    action_config: { transaction_type: 'refund' },
  });
  const purchase = await newAction(workspace, { action_type: 'add_transaction' });
  const thanks = {
    name: 'Thanks',
    trigger_type: 'loyalty',
    trigger_config: { event_types: ['points_spent'] },
    effects: [{ type: 'earn_points', wallet_type_code: 'loan', amount_type: 'fixed', amount: 1 }],
  };
  expectStatus(await workspace.post(':ws/automations', thanks), 201);
  const holder = await newHolder(workspace);
  const beans = {
    name: 'Beans',
    trigger_type: 'transaction',
    effects: [
      {
        type: 'earn_points',
        wallet_type_code: 'beans',
        amount_type: 'expression',
        amount_expression: 'event.amount * 2.0',
      },
      { type: 'deduct_points', wallet_type_code: 'loan', amount: 1 },
    ],
  };
  expectStatus(await workspace.post(':ws/automations', beans), 201);
  const sale = { amount: 10, metadata: { order_id: 'r-1' } };
  actions.purchase = purchase.id;
  actions.refund = refund.id;
  const told = async (type: string, data: object) =>
    expectStatus(await post('quote', type, holder, data), 200).body.data.effects.map(
      ({ type: what, wallet_type_code, points }: Record<string, unknown>) => [
        what,
        wallet_type_code,
        points,
      ],
    );
  expect(await told('purchase', sale)).toEqual(
    expect.arrayContaining([
      ['earn_points', 'beans', 20],
      ['deduct_points', 'loan', -1],
      ['earn_points', 'loan', 1],
    ]),
  );
  const done = expectStatus(await post('execute', 'purchase', holder, sale), 200);
  const id = done.headers.get('operation-id')!;
  await until(async () => {
    const after = await device.get(`/mobile-app/operations/${id}`, { wait: 5 });
    return expectStatus(after, 200).body.data.state === 'done';
  });
  const back = { amount: 4, metadata: { order_id: 'r-1' } };
  expect(await told('refund', { ...back, amount: 11 })).toEqual([]);
  expect(await told('refund', back)).toEqual(
    expect.arrayContaining([['refund_points', 'beans', -8]]),
  );
  expectStatus(await post('execute', 'refund', holder, back), 200);
  const left = async () => balancesOf(await post('quote', 'refund', holder, back)).beans;
  await until(async () => (await left()) === 12);
});
