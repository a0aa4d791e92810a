import { platform, Refusal } from '@laurel/errors';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import { Harness } from '../testing/harness';
import { broken } from '../testing/invariants';
import { cancelRedemption } from './cancel-redemption';
import { giveReward } from './give-reward';
import { giveRewards } from './give-rewards';
import { importCoupons } from './import-coupons';
import { listClientRewards } from './list-client-rewards';
import { previewRedemption } from './preview-redemption';
import { redeemReward } from './redeem-reward';
import { updateReward } from './update-reward';

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.open();
});
afterEach(async () => {
  expect(await broken(harness)).toEqual([]);
});
afterAll(() => harness.close());

const reasonOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (error === null) return null;
  if (!(error instanceof Refusal)) throw error;
  return error.problems[0]?.extensions?.reason ?? error.problems[0]?.field;
};
const isGranted = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'fulfilled';
const importInto = (reward: api.Reward, codes: string[]) =>
  importCoupons(harness.deps, { workspace_id: harness.workspaceId, reward_id: reward.id, codes });

test('redeeming deducts the points, gives a coupon of the pattern and tells of it', async () => {
  const client = harness.newClient(25);
  const reward = await harness.newReward({ code_pattern: 'COFFEE-{RAND:6}' });
  const { redemption, coupon, points_ledger_id } = await harness.redeem(reward.id, client, {
    metadata: { till: 7 },
    source: 'mobile',
  });
  expect(redemption).toMatchObject({
    reward_id: reward.id,
    client_id: client,
    workspace_id: harness.workspaceId,
    points_spent: 10,
    points_ledger_id,
    coupon_id: coupon!.id,
    status: 'fulfilled',
    source: 'mobile',
    metadata: { till: 7 },
    used_at: null,
    coupon_code: coupon!.code,
    coupon_status: 'issued',
  });
  expect(coupon!.code).toMatch(/^COFFEE-[A-HJ-KM-NP-Z2-9]{6}$/);
  expect(harness.ledger.balanceOf(client)).toBe(15);
  expect(points_ledger_id).toBe(harness.ledger.entryOf(`redemption:${redemption!.id}`)!.id);
  const events = await harness.events('rewards.reward_redeemed');
  expect(events.map(({ subject }) => subject)).toContain(client);
});

test('150 at once on a limit of 100, through two instances: exactly 100 have it', async () => {
  const other = await harness.anotherInstance();
  const reward = await harness.newReward({ usage_limit: 100, code_pattern: '{RAND:8}' });
  const clients = Array.from({ length: 150 }, () => harness.newClient(10));
  const outcomes = await Promise.allSettled(
    clients.map((client, i) =>
      harness.redeem(reward.id, client, { deps: i % 2 === 0 ? harness.deps : other }),
    ),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(outcomes.filter(isGranted)).toHaveLength(100);
  for (const { reason } of refused)
    expect((reason as Refusal).problems[0]!.extensions).toEqual({ reason: 'usage_limit_reached' });
  const left = clients.map((client) => harness.ledger.balanceOf(client));
  expect(left.filter((points) => points === 0)).toHaveLength(100);
  expect(left.filter((points) => points === 10)).toHaveLength(50);
});

test('a client that clicks 20 times on a share of 2 has it twice and pays twice', async () => {
  const client = harness.newClient(1_000);
  const reward = await harness.newReward({ usage_limit_per_client: 2 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => harness.redeem(reward.id, client)),
  );
  expect(outcomes.filter(isGranted)).toHaveLength(2);
  expect(harness.ledger.balanceOf(client)).toBe(980);
  expect(await reasonOf(harness.redeem(reward.id, client))).toBe('client_limit_reached');
});

test('of many redeemed at once, one that was taken for abandoned is undone alone', async () => {
  const reward = await harness.newReward({ code_pattern: '{RAND:8}' });
  const clients = Array.from({ length: 20 }, () => harness.newClient(10));
  const unlucky = clients[7]!;
  const { attempts } = harness.deps;
  const ledger = {
    ...harness.ledger,
    SpendPoints: async (request: Parameters<typeof harness.ledger.SpendPoints>[0]) => {
      const spent = await harness.ledger.SpendPoints(request);
      if (request.client_id === unlucky)
        await attempts.compensate(
          { id: request.source_id!, workspace_id: harness.workspaceId },
          'open',
          new Date(),
        );
      return spent;
    },
  };
  const deps = { ...harness.deps, ledger };
  const outcomes = await Promise.allSettled(
    clients.map((client) => harness.redeem(reward.id, client, { deps })),
  );
  expect(outcomes.filter(isGranted)).toHaveLength(19);
  expect(outcomes[7]).toMatchObject({ status: 'rejected' });
  expect(clients.map((client) => harness.ledger.balanceOf(client))).toEqual(
    clients.map((client) => (client === unlucky ? 10 : 0)),
  );
});

test('of many redeemed at once, one that the store does not take is undone alone', async () => {
  const reward = await harness.newReward({ code_pattern: '{RAND:8}' });
  const clients = Array.from({ length: 20 }, () => harness.newClient(10));
  const unlucky = clients[7]!;
  const { redemptions } = harness.deps;
  const insertAll: typeof redemptions.insertAll = async (added, session) => {
    if (added.some(({ redemption }) => redemption.client_id === unlucky))
      throw new Error('no room');
    await redemptions.insertAll(added, session);
  };
  const deps = { ...harness.deps, redemptions: { ...redemptions, insertAll } };
  const outcomes = await Promise.allSettled(
    clients.map((client) => harness.redeem(reward.id, client, { deps })),
  );
  const failed = clients.filter((_, at) => !isGranted(outcomes[at]!));
  expect(failed).toEqual([unlucky]);
  expect(clients.map((client) => harness.ledger.balanceOf(client))).toEqual(
    clients.map((client) => (client === unlucky ? 10 : 0)),
  );
});

test('20 clicks on points for three: three redemptions, never overdrawn', async () => {
  const client = harness.newClient(35);
  const reward = await harness.newReward({ code_pattern: '{RAND:8}' });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => harness.redeem(reward.id, client)),
  );
  expect(outcomes.filter(isGranted)).toHaveLength(3);
  expect(harness.ledger.balanceOf(client)).toBe(5);
});

test('the same operation, repeated at once and later, redeems once and answers alike', async () => {
  const client = harness.newClient(100);
  const reward = await harness.newReward({ code_pattern: '{RAND:8}' });
  const operation = newId();
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const repeat = () => harness.asCaller(() => redeemReward(harness.deps, request), operation);
  const replies = [...(await Promise.all(Array.from({ length: 5 }, repeat))), await repeat()];
  expect(new Set(replies.map(({ redemption }) => redemption!.id)).size).toBe(1);
  expect(new Set(replies.map(({ coupon }) => coupon!.code)).size).toBe(1);
  expect(harness.ledger.balanceOf(client)).toBe(90);
});

/** A gate that calls wait at until it is opened; `reached` resolves with the first of them. */
function gate() {
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const pass = () => {
    reach();
    return opened;
  };
  return { open, reached, pass };
}

test('a repeat is never refused for what its own first try holds, but gets its answer', async () => {
  const client = harness.newClient(10);
  const reward = await harness.newReward({ usage_limit: 1, usage_limit_per_client: 1 });
  const { open, reached, pass } = gate();
  const completing = {
    ...harness.deps,
    redemptions: {
      ...harness.deps.redemptions,
      insertAll: async (...args: Parameters<typeof harness.deps.redemptions.insertAll>) => {
        await pass();
        return harness.deps.redemptions.insertAll(...args);
      },
    },
  };
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const operation = newId();
  const first = harness.asCaller(() => redeemReward(completing, request), operation);
  await reached;
  const again = harness.asCaller(() => redeemReward(harness.deps, request), operation);
  expect(await reasonOf(harness.redeem(reward.id, client))).toBe('usage_limit_reached');
  open();
  expect((await again).redemption!.id).toBe((await first).redemption!.id);
  expect(harness.ledger.balanceOf(client)).toBe(0);
});

test('a repeat that finds its first try being undone waits for that and is decided anew', async () => {
  const client = harness.newClient(10);
  const reward = await harness.newReward({ usage_limit: 1 });
  const { open, reached, pass } = gate();
  const failing = {
    ...harness.deps,
    ledger: {
      ...harness.ledger,
      SpendPoints: async () => {
        throw platform.serviceUnavailable();
      },
      RefundSpend: async (refund: Parameters<typeof harness.ledger.RefundSpend>[0]) => {
        await pass();
        return harness.ledger.RefundSpend(refund);
      },
    },
  };
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const operation = newId();
  const first = harness.asCaller(() => redeemReward(failing, request), operation);
  const failure = first.catch((error: unknown) => error);
  await reached;
  const again = harness.asCaller(() => redeemReward(harness.deps, request), operation);
  open();
  expect(await failure).toMatchObject({ httpStatus: 503 });
  expect((await again).redemption).toMatchObject({ status: 'fulfilled', points_spent: 10 });
  expect(harness.ledger.balanceOf(client)).toBe(0);
});

test('a limit of 0 gives nothing, and skip_points_cost passes limits and costs nothing', async () => {
  const client = harness.newClient(0);
  const reward = await harness.newReward({ usage_limit: 0, usage_limit_per_client: 0 });
  expect(await reasonOf(harness.redeem(reward.id, client))).toBe('usage_limit_reached');
  const { redemption } = await harness.redeem(reward.id, client, { skip_points_cost: true });
  expect(redemption).toMatchObject({ points_spent: 0, points_ledger_id: null });
});

test('giving costs nothing but respects limits, and one operation gives once', async () => {
  const client = harness.newClient(0);
  const reward = await harness.newReward({ usage_limit: 1 });
  const give = (operation_id: string) =>
    giveReward(harness.deps, {
      workspace_id: harness.workspaceId,
      reward_id: reward.id,
      client_id: client,
      source: 'campaign',
      operation_id,
    });
  const first = await give('campaign:1');
  expect(await give('campaign:1')).toEqual(first);
  expect(first.redemption).toMatchObject({ points_spent: 0, source: 'campaign' });
  expect(await reasonOf(give('campaign:2'))).toBe('usage_limit_reached');
});

test('a reward for many is given to each within its limits, and a repeat gives the same to the same', async () => {
  const clients = Array.from({ length: 12 }, () => harness.newClient(0));
  const reward = await harness.newReward({ usage_limit: 10 });
  const give = () =>
    giveRewards(harness.deps, {
      workspace_id: harness.workspaceId,
      reward_id: reward.id,
      source: 'campaign',
      metadata: { campaign_id: '1' },
      gifts: clients.map((client_id) => ({ client_id, operation_id: 'campaign:many' })),
    });
  const { given } = await give();
  expect(given.map(({ client_id }) => client_id)).toEqual(clients);
  const redeemed = given.filter(({ redemption_id }) => redemption_id !== undefined);
  expect(redeemed).toHaveLength(10);
  expect(given.filter(({ refusal }) => refusal !== undefined)).toHaveLength(2);
  expect((await give()).given).toEqual(given);
});

test('imported codes go out before any is generated; an import-only reward runs out', async () => {
  const client = harness.newClient(1_000);
  const both = await harness.newReward({ code_pattern: 'GEN-{RAND:6}' });
  await importInto(both, ['BOTH-1', 'BOTH-2']);
  const codes = [];
  for (let i = 0; i < 3; i += 1) codes.push((await harness.redeem(both.id, client)).coupon!.code);
  expect(codes.slice(0, 2).sort()).toEqual(['BOTH-1', 'BOTH-2']);
  expect(codes[2]).toMatch(/^GEN-/);

  const only = await harness.newReward();
  await importInto(only, ['ONLY-1']);
  const { redemption } = await harness.redeem(only.id, client);
  expect(await reasonOf(harness.redeem(only.id, client))).toBe('out_of_coupons');
  await harness.asCaller(() =>
    cancelRedemption(harness.deps, { workspace_id: harness.workspaceId, id: redemption!.id }),
  );
  expect((await harness.redeem(only.id, client)).coupon!.code).toBe('ONLY-1');
});

test('40 at once on a pool of 25: 25 have a code of their own, and the other 15 do not pay', async () => {
  const reward = await harness.newReward();
  await importInto(
    reward,
    Array.from({ length: 25 }, (_, i) => `POOL-${i}`),
  );
  const clients = Array.from({ length: 40 }, () => harness.newClient(10));
  const outcomes = await Promise.allSettled(
    clients.map((client) => harness.redeem(reward.id, client)),
  );
  const codes = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.coupon!.code] : [],
  );
  expect(new Set(codes).size).toBe(25);
  const left = clients.reduce((sum, client) => sum + harness.ledger.balanceOf(client), 0);
  expect(left).toBe(150);
});

test('with a random space of 64 codes, 64 redemptions have 64 codes and the 65th has none', async () => {
  // Two of the four random characters come from eight letters, the others stand still.
  let drawn = 0;
  const pickNumber = (): number => {
    drawn += 1;
    return drawn % 2 === 0 ? 0 : Math.floor(Math.random() * 8);
  };
  const deps = { ...harness.deps, pickNumber };
  const reward = await harness.newReward({ code_pattern: 'TINY{RAND:4}', cost_in_points: 0 });
  const client = harness.newClient();
  const codes = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const batch = await Promise.all(
      Array.from({ length: 8 }, () => harness.redeem(reward.id, client, { deps })),
    );
    for (const { coupon } of batch) codes.add(coupon!.code);
  }
  expect(codes.size).toBe(64);
  expect(await reasonOf(harness.redeem(reward.id, client, { deps }))).toBe('out_of_coupons');
});

test.each(['this version', 'an earlier one'])(
  'a reward of %s that gets its wallet later is sold from then on',
  async (version) => {
    const { deps, workspaceId: workspace_id, ledger } = harness;
    const reward = await harness.newReward({ wallet_type_id: null });
    if (version === 'an earlier one')
      await harness.store.connection
        .collection<{ _id: string }>('rewards')
        .updateOne({ _id: reward.id }, { $unset: { for_sale: '' } });
    const client = harness.newClient(10);
    const buy = () => harness.redeem(reward.id, client, { purchasable_only: true });
    expect(await reasonOf(buy())).toBe('not_purchasable');
    const row = { workspace_id, id: reward.id };
    const change = { ...row, wallet_type_id: ledger.walletTypeId } as api.UpdateRewardRequest;
    const { etag: _, ...changed } = await updateReward(deps, change);
    expect(changed).toEqual({
      ...reward,
      wallet_type_id: ledger.walletTypeId,
      purchasable: true,
      date_updated: expect.any(String),
    });
    const shop = { workspace_id, client_id: client, purchasable_only: true };
    const { rewards } = await listClientRewards(deps, shop);
    expect(rewards.map((seen) => seen.reward!.id)).toContain(reward.id);
    expect((await buy()).redemption).toMatchObject({ points_spent: 10 });
  },
);

test('a dry run says what would happen and leaves no trace', async () => {
  const client = harness.newClient(15);
  const reward = await harness.newReward({ usage_limit: 1 });
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const before = await harness.rows('attempts');
  expect(await previewRedemption(harness.deps, request)).toEqual({
    would_succeed: true,
    reason: null,
    points_cost: 10,
    balance_after: 5,
  });
  expect(await harness.rows('attempts')).toEqual(before);
  expect(harness.ledger.balanceOf(client)).toBe(15);
  await harness.redeem(reward.id, client);
  expect(await previewRedemption(harness.deps, request)).toMatchObject({
    would_succeed: false,
    reason: 'usage_limit_reached',
  });
});

test('a dry run looks for a code that is free, as redeeming does, and takes none', async () => {
  const deps = { ...harness.deps, pickNumber: () => 0 };
  const client = harness.newClient(100);
  const reward = await harness.newReward({ code_pattern: 'ONLY-{RAND:4}' });
  const request = { workspace_id: harness.workspaceId, reward_id: reward.id, client_id: client };
  const reasons = async () => {
    const { would_succeed, reason } = await previewRedemption(deps, request);
    expect(would_succeed).toBe(reason === null);
    return [
      reason,
      reason === null || (await reasonOf(harness.redeem(reward.id, client, { deps }))),
    ];
  };
  for (const _ of [1, 2]) expect(await reasons()).toEqual([null, true]);
  await harness.redeem(reward.id, client, { deps });
  expect(await reasons()).toEqual(['out_of_coupons', 'out_of_coupons']);
  expect(harness.ledger.balanceOf(client)).toBe(90);
  await importInto(reward, ['SPARE-1']);
  expect(await reasons()).toEqual([null, true]);
  await harness.redeem(reward.id, client, { deps });
  expect(await reasons()).toEqual(['out_of_coupons', 'out_of_coupons']);
});

test('a reward or client of elsewhere is refused with its reason', async () => {
  const reward = await harness.newReward();
  expect(await reasonOf(harness.redeem(newId(), harness.newClient(10)))).toBe('unknown_reward');
  expect(await reasonOf(harness.redeem(reward.id, newId()))).toBe('unknown_client');
  const elsewhere = { workspace_id: newId() };
  const client = harness.newClient(10);
  expect(await reasonOf(harness.redeem(reward.id, client, elsewhere))).toBe('unknown_reward');
});

test('tiers and segments must both be satisfied', async () => {
  const [tier, segment] = [newId(), newId()];
  harness.knownTiers.add(tier);
  harness.knownSegments.add(segment);
  const reward = await harness.newReward({
    visibility_tiers: [tier],
    visibility_segments: [segment],
  });
  const client = harness.newClient(10);
  expect(await reasonOf(harness.redeem(reward.id, client))).toBe('tier_locked');
  harness.tierOf.set(client, tier);
  expect(await reasonOf(harness.redeem(reward.id, client))).toBe('segment_locked');
  harness.segmentMembers.add(client);
  expect(await reasonOf(harness.redeem(reward.id, client))).toBeNull();
  expect(await reasonOf(harness.newReward({ visibility_segments: [newId()] }))).toBe(
    'visibility_segments.0',
  );
});

test('a reward that is changed while it is redeemed is decided on anew', async () => {
  const client = harness.newClient(100);
  const reward = await harness.newReward();
  const deactivate = () =>
    updateReward(harness.deps, {
      workspace_id: harness.workspaceId,
      id: reward.id,
      active: false,
    });
  const insert = harness.deps.attempts.insert;
  const attempts = {
    ...harness.deps.attempts,
    insert: async (...args: Parameters<typeof insert>) => {
      const isFirst = await insert(...args);
      await deactivate();
      return isFirst;
    },
  };
  const outcome = harness.redeem(reward.id, client, { deps: { ...harness.deps, attempts } });
  expect(await reasonOf(outcome)).toBe('inactive');
  expect(harness.ledger.balanceOf(client)).toBe(100);
});

test('who redeems a reward that others change again and again is asked to come back', async () => {
  const client = harness.newClient(100);
  const reward = await harness.newReward();
  const insert = harness.deps.attempts.insert;
  let sort_order = 0;
  const attempts = {
    ...harness.deps.attempts,
    insert: async (...args: Parameters<typeof insert>) => {
      const isFirst = await insert(...args);
      sort_order += 1;
      const id = reward.id;
      await updateReward(harness.deps, { workspace_id: harness.workspaceId, id, sort_order });
      return isFirst;
    },
  };
  const outcome = harness.redeem(reward.id, client, { deps: { ...harness.deps, attempts } });
  await expect(outcome).rejects.toMatchObject({ httpStatus: 409, retryAfterSeconds: 1 });
  expect(harness.ledger.balanceOf(client)).toBe(100);
});

test('the push is asked for only when the reward wants it and the caller does not object', async () => {
  const client = harness.newClient(100);
  const loud = { send_on_redemption: true, body: 'Enjoy {{reward_name}}' };
  const wanting = await harness.newReward({ notification_config: loud });
  const quiet = await harness.newReward({ notification_config: { body: 'never' } });
  await harness.redeem(wanting.id, client);
  await harness.redeem(wanting.id, client, { send_notification: false });
  await harness.redeem(quiet.id, client);
  const requested = await harness.events('rewards.notification_requested');
  expect(requested.map(({ data }) => data)).toMatchObject([
    { client_id: client, body: 'Enjoy {{reward_name}}', tokens: { reward_name: 'Free coffee' } },
  ]);
});

test('another request under a key that has redeemed is refused, for whomever it asks, and the first is answered as before', async () => {
  const before = harness.clock.now();
  harness.clock.set(new Date());
  const [client, other] = [harness.newClient(25), harness.newClient(25)];
  const reward = await harness.newReward();
  const operationId = newId();
  const redeem = (client_id: string, till: number) =>
    runInContext(
      systemContext({ operationId, fingerprint: `${client_id} ${till}`, operationKept: true }),
      () =>
        redeemReward(harness.deps, {
          workspace_id: harness.workspaceId,
          reward_id: reward.id,
          client_id,
          metadata: { till },
        }),
    );
  const first = await redeem(client, 1);
  const usedKey = { code: 'CONFLICT', problems: [{ field: 'Idempotency-Key' }] };
  await expect(redeem(client, 2)).rejects.toMatchObject(usedKey);
  await expect(redeem(other, 1)).rejects.toMatchObject(usedKey);
  expect(await redeem(client, 1)).toEqual(first);
  expect([client, other].map((one) => harness.ledger.balanceOf(one))).toEqual([15, 25]);
  harness.clock.set(before);
});
