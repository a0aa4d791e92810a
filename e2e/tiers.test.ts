import { randomUUID } from 'node:crypto';
import { until } from '@laurel/testing';
import type { Caller, Reply } from './support/api';
import {
  expectStatus,
  newClient,
  newWalletType,
  newWorkspace,
  uniqueEmail,
} from './support/factories';

/** Workspaces for tests that leave nothing behind: one without a tier set, one with. */
let empty: Caller;
let furnished: Caller;
beforeAll(async () => {
  [empty, furnished] = await Promise.all([newWorkspace(), newWorkspace()]);
  await newSet(furnished);
});

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

async function newSet(workspace: Caller, overrides: object = {}) {
  const body = { name: 'Levels', conditions: [{ type: 'total_earned' }], ...overrides };
  return expectStatus(await workspace.post(':ws/tiers/set', body), 201).body.data;
}

test('of eight tier sets made at once one is made, and the others hear of it (409)', async () => {
  const workspace = await newWorkspace();
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => workspace.post(':ws/tiers/set', { name: 'Club' })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
});

async function newTier(workspace: Caller, name: string, overrides: object = {}) {
  const body = { name, condition_values: {}, ...overrides };
  return expectStatus(await workspace.post(':ws/tiers', body), 201).body.data;
}

const enrolled = (workspace: Caller, overrides: object = {}) =>
  newClient(workspace, { loyalty_program_enabled: true, ...overrides });

async function earn(workspace: Caller, clientId: string, amount: number) {
  const body = { client_id: clientId, amount };
  expectStatus(await workspace.post(':ws/loyalty/points/earn', body), 201);
}

async function tierOf(workspace: Caller, clientId: string) {
  return expectStatus(await workspace.get(`:ws/clients/${clientId}/tier`), 200).body.data;
}

function untilTier(workspace: Caller, clientId: string, tierId: string | null) {
  return until(
    async () => {
      const data = await tierOf(workspace, clientId);
      return (data.tier?.id ?? null) === tierId ? data : null;
    },
    { what: `tier ${tierId}` },
  );
}

function untilDone(workspace: Caller, jobId: string) {
  return until(async () => {
    const { data } = expectStatus(await workspace.get(`:ws/tiers/resync-jobs/${jobId}`), 200).body;
    return data.status === 'completed' ? data : null;
  });
}

function expectInvalid(reply: Reply, field?: string) {
  expectStatus(reply, 400);
  const [error] = reply.body.errors;
  expect(error.extensions.code).toBe('INVALID_PAYLOAD');
  if (field !== undefined) expect(error.extensions.field).toBe(field);
}

/** Bronze for everybody, Silver from 100 points, Gold from 500, and an exclusive one. */
async function levels(setOverrides: object = {}) {
  const workspace = await newWorkspace();
  await newWalletType(workspace);
  const set = await newSet(workspace, setOverrides);
  const bronze = await newTier(workspace, 'Bronze');
  const silver = await newTier(workspace, 'Silver', {
    sort_order: 1,
    condition_values: { total_earned: 100 },
  });
  const gold = await newTier(workspace, 'Gold', {
    sort_order: 2,
    condition_values: { total_earned: 500 },
  });
  const vip = await newTier(workspace, 'VIP', { sort_order: 3, kind: 'exclusive' });
  return { workspace, set, bronze, silver, gold, vip };
}

describe('without a tier set', () => {
  test('reads are empty and everything else is refused', async () => {
    const workspace = await newWorkspace();
    const client = await enrolled(workspace);
    expect((await workspace.get(':ws/tiers/set')).body).toEqual({ data: null });
    expect((await workspace.get(':ws/tiers')).body).toEqual({ data: [] });
    expect((await workspace.get(':ws/tiers/clients')).body.data).toEqual([]);
    expect((await workspace.get(':ws/tiers/clients', { tier_id: 'untiered' })).body.data).toEqual(
      [],
    );
    for (const field of ['tier_id', 'pass_template_id'])
      expectInvalid(await workspace.get(':ws/tiers/clients', { [field]: randomUUID() }), field);
    expect((await workspace.get(`:ws/clients/${client.id}/tier`)).body).toEqual({ data: null });
    expect((await workspace.get(`:ws/clients/${client.id}/tier/history`)).body.data).toEqual([]);
    expect((await workspace.get(':ws/tiers/resync-jobs')).body.data).toEqual([]);
    const someone = { client_id: client.id, tier_id: randomUUID() };
    for (const refused of [
      await workspace.post(':ws/tiers', { name: 'Gold', condition_values: {} }),
      await workspace.patch(':ws/tiers/set', { name: 'Levels' }),
      await workspace.del(':ws/tiers/set'),
      await workspace.post(':ws/tiers/reorder', { tier_ids: [] }),
      await workspace.post(':ws/tiers/assign', someone),
      await workspace.post(':ws/tiers/unassign', { client_id: client.id }),
      await workspace.post(':ws/tiers/preview'),
      await workspace.post(':ws/tiers/recalculate'),
    ]) {
      expectInvalid(refused);
      expect(refused.body.errors[0].message).toMatch(/no tier set is configured/);
    }
    expectInvalid(await workspace.get(`:ws/tiers/${randomUUID()}`));
  });
});

describe('the tier set', () => {
  test('is made once when eight ask for it at the same moment, and the others hear so', async () => {
    const workspace = await newWorkspace();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => workspace.post(':ws/tiers/set', { name: 'Levels' })),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('is created once with its defaults, read with its tiers, and deleted with them', async () => {
    const workspace = await newWorkspace();
    const created = expectStatus(await workspace.post(':ws/tiers/set', { name: 'Levels' }), 201);
    expect(created.body.data).toEqual({
      id: uuid,
      workspace_id: workspace.workspaceId,
      name: 'Levels',
      active: true,
      conditions: [],
      downgrade_config: {},
      tiers: [],
    });
    expectStatus(await workspace.post(':ws/tiers/set', { name: 'Again' }), 409);
    const gold = await newTier(workspace, 'Gold');
    expect((await workspace.get(':ws/tiers/set')).body.data.tiers).toEqual([gold]);
    const deleted = expectStatus(await workspace.del(':ws/tiers/set'), 200);
    expect(deleted.body).toEqual({ message: expect.any(String) });
    expect((await workspace.get(':ws/tiers/set')).body).toEqual({ data: null });
    expect((await workspace.get(':ws/tiers')).body).toEqual({ data: [] });
    expectStatus(await workspace.post(':ws/tiers/set', { name: 'Levels' }), 201);
  });

  test('costs a resync only where somebody may be affected', async () => {
    const { workspace } = await levels();
    const renamed = expectStatus(await workspace.patch(':ws/tiers/set', { name: 'Ranks' }), 200);
    expect(renamed.body).toMatchObject({ data: { name: 'Ranks' }, resync_job_id: null });
    const changed = await workspace.patch(':ws/tiers/set', {
      conditions: [{ type: 'total_spending' }],
      downgrade_config: { lookback_days: 30 },
    });
    expect(changed.body.data).toMatchObject({
      conditions: [{ type: 'total_spending' }],
      downgrade_config: { lookback_days: 30 },
    });
    await untilDone(workspace, changed.body.resync_job_id);
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'A', active: 'yes' }, 'active'],
    [{ name: 'A', conditions: [{ type: 'visits' }] }, 'conditions.0.type'],
    [{ name: 'A', conditions: [{}] }, 'conditions.0.type'],
    [
      { name: 'A', conditions: [{ type: 'total_spending', wallet_type_code: 'points' }] },
      'conditions.0.wallet_type_code',
    ],
    [
      { name: 'A', conditions: [{ type: 'total_earned', wallet_type_code: 'nowhere' }] },
      'conditions.0.wallet_type_code',
    ],
    [{ name: 'A', downgrade_config: { lookback_days: -1 } }, 'downgrade_config.lookback_days'],
    [{ name: 'A', downgrade_config: { days: 1 } }, 'downgrade_config.days'],
    [{ name: 'A', tiers: [] }, 'tiers'],
  ])('refuses what is wrong with a field: %#', async (body, field) => {
    expectInvalid(await empty.post(':ws/tiers/set', body), field);
  });
});

describe('a tier', () => {
  test('is created with its defaults and with everything, and read back', async () => {
    const workspace = await newWorkspace();
    const set = await newSet(workspace);
    const plain = await newTier(workspace, 'Plain');
    expect(plain).toEqual({
      id: uuid,
      tier_set_id: set.id,
      workspace_id: workspace.workspaceId,
      name: 'Plain',
      description: null,
      sort_order: 0,
      kind: 'auto',
      condition_values: {},
      benefits: [],
      color: null,
      icon: null,
      pass_sync_config: {},
      pass_template_id: null,
      notification_config: null,
    });
    const full = {
      description: 'The top',
      sort_order: 2,
      kind: 'exclusive',
      condition_values: { total_earned: 12.5, transaction_count: 3 },
      benefits: [
        { id: 'coffee', label: 'Free coffee' },
        { id: 'off', label: 'Discount', value: 10 },
      ],
      color: '#D4AF37',
      icon: 'crown',
      pass_sync_config: { field_name: 'level', sync_value: 'top' },
      notification_config: { send_on_promotion: true, promotion_body: 'Welcome' },
    };
    const rich = await newTier(workspace, 'Rich', full);
    expect(rich).toMatchObject({ name: 'Rich', ...full });
    expect((await workspace.get(`:ws/tiers/${rich.id}`)).body).toEqual({ data: rich });
    expect((await workspace.get(':ws/tiers')).body.data).toEqual([plain, rich]);
  });

  test('changes; a colour costs no resync, a threshold does', async () => {
    const { workspace, gold } = await levels();
    const recoloured = await workspace.patch(`:ws/tiers/${gold.id}`, {
      color: '#000000',
      description: null,
    });
    expect(recoloured.body).toEqual({
      data: { ...gold, color: '#000000' },
      resync_job_id: null,
    });
    const raised = await workspace.patch(`:ws/tiers/${gold.id}`, {
      condition_values: { total_earned: 600 },
    });
    expect(raised.body.data.condition_values).toEqual({ total_earned: 600 });
    await untilDone(workspace, raised.body.resync_job_id);
    const removed = expectStatus(await workspace.del(`:ws/tiers/${gold.id}`), 200);
    expect(removed.body).toEqual({ message: expect.any(String), resync_job_id: uuid });
    expectInvalid(await workspace.get(`:ws/tiers/${gold.id}`));
    expectInvalid(await workspace.patch(`:ws/tiers/${gold.id}`, { name: 'Gone' }));
    expectInvalid(await workspace.del(`:ws/tiers/${gold.id}`));
  });

  test.each([
    [{ condition_values: {} }, 'name'],
    [{ name: 'A' }, 'condition_values'],
    [{ name: 'A', condition_values: { visits: 1 } }, 'condition_values.visits'],
    [{ name: 'A', condition_values: { total_earned: -1 } }, 'condition_values.total_earned'],
    [{ name: 'A', condition_values: {}, sort_order: -1 }, 'sort_order'],
    [{ name: 'A', condition_values: {}, sort_order: 1.5 }, 'sort_order'],
    [{ name: 'A', condition_values: {}, kind: 'manual' }, 'kind'],
    [{ name: 'A', condition_values: {}, color: 'red' }, 'color'],
    [{ name: 'A', condition_values: {}, description: 'x'.repeat(2_001) }, 'description'],
    [{ name: 'A', condition_values: {}, icon: 'x'.repeat(256) }, 'icon'],
    [{ name: 'A', condition_values: {}, benefits: [{ id: 'a' }] }, 'benefits.0.label'],
    [{ name: 'A', condition_values: {}, pass_template_id: 'x' }, 'pass_template_id'],
    [{ name: 'A', condition_values: {}, pass_template_id: randomUUID() }, 'pass_template_id'],
    [
      {
        name: 'A',
        condition_values: {},
        notification_config: { promotion_body: 'x'.repeat(2_001) },
      },
      'notification_config.promotion_body',
    ],
  ])('refuses what is wrong with a field: %#', async (body, field) => {
    expectInvalid(await furnished.post(':ws/tiers', body), field);
  });

  test('of another workspace does not exist', async () => {
    const [mine, theirs] = [await levels(), await levels()];
    const { workspace, vip } = mine;
    const path = `:ws/tiers/${theirs.gold.id}`;
    expectInvalid(await workspace.get(path));
    expectInvalid(await workspace.patch(path, { name: 'Mine' }));
    expectInvalid(await workspace.del(path));
    const stranger = await enrolled(theirs.workspace);
    const assigned = { client_id: stranger.id, tier_id: vip.id };
    expectInvalid(await workspace.post(':ws/tiers/assign', assigned), 'client_id');
    expectStatus(await workspace.get(`:ws/clients/${stranger.id}/tier`), 404);
    expectStatus(await workspace.get(`:ws/clients/${stranger.id}/tier/history`), 404);
    const outside = `/workspace/${theirs.workspace.workspaceId}/tiers`;
    expectStatus(await workspace.get(outside), 403);
  });

  test('takes its place by reordering, which names every tier once', async () => {
    const { workspace, bronze, silver, gold, vip } = await levels();
    const order = [vip.id, bronze.id, gold.id, silver.id];
    const { body } = expectStatus(
      await workspace.post(':ws/tiers/reorder', { tier_ids: order }),
      200,
    );
    expect(body.data).toEqual(order.map((id, sort_order) => ({ id, sort_order })));
    await untilDone(workspace, body.resync_job_id);
    const listed = (await workspace.get(':ws/tiers')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(order);
    const again = await workspace.post(':ws/tiers/reorder', { tier_ids: order });
    expect(again.body.resync_job_id).toBeNull();
    for (const tier_ids of [
      order.slice(1),
      [...order.slice(1), gold.id],
      [...order, randomUUID()],
    ]) {
      expectInvalid(await workspace.post(':ws/tiers/reorder', { tier_ids }), 'tier_ids');
    }
  });
});

describe('promotion', () => {
  test('follows enrolment and points within seconds and tells the way to the next tier', async () => {
    const { workspace, bronze, silver, gold } = await levels();
    const client = await newClient(workspace);
    expect((await tierOf(workspace, client.id)).tier).toBeNull();
    const enrol = { loyalty_program_enabled: true };
    expectStatus(await workspace.patch(`:ws/clients/${client.id}`, enrol), 200);
    expect(await untilTier(workspace, client.id, bronze.id)).toMatchObject({
      tier: bronze,
      manually_assigned: false,
      expires_at: null,
      metrics: { total_earned: 0, total_spending: 0, transaction_count: 0 },
      progress: { current_tier: bronze, next_tier: silver, progress_to_next: 0 },
    });
    await earn(workspace, client.id, 150);
    expect((await untilTier(workspace, client.id, silver.id)).progress).toEqual({
      current_tier: silver,
      next_tier: gold,
      progress_to_next: 0.3,
      metric: 'total_earned',
      metric_value: 150,
      metric_target: 500,
    });
    await earn(workspace, client.id, 350);
    expect((await untilTier(workspace, client.id, gold.id)).progress).toEqual({
      current_tier: gold,
      next_tier: null,
      progress_to_next: 1,
      metric: null,
      metric_value: null,
      metric_target: null,
    });
    const history = (await workspace.get(`:ws/clients/${client.id}/tier/history`)).body.data;
    expect(history).toMatchObject([
      { from_tier_id: silver.id, to_tier_id: gold.id, reason: 'activity' },
      { from_tier_id: bronze.id, to_tier_id: silver.id, reason: 'activity' },
      { from_tier_id: null, to_tier_id: bronze.id, reason: 'enrollment' },
    ]);
    const trail = await until(async () => {
      const query = { event_category: 'loyalty', event_type: 'tier_promoted' };
      const { data } = (await workspace.get(`:ws/clients/${client.id}/events`, query)).body;
      return data.length === 3 ? data : null;
    });
    expect(trail[0].metadata).toMatchObject({ tier_name: 'Gold', previous_tier_name: 'Silver' });
    const leave = { loyalty_program_enabled: false };
    expectStatus(await workspace.patch(`:ws/clients/${client.id}`, leave), 200);
    await untilTier(workspace, client.id, null);
  });

  test('does not count spent, negative or refunded points, and counts one wallet type where the set says so', async () => {
    const workspace = await newWorkspace();
    const points = await newWalletType(workspace);
    const stars = await newWalletType(workspace);
    await newSet(workspace, {
      conditions: [{ type: 'total_earned', wallet_type_code: stars.code }],
    });
    const gold = await newTier(workspace, 'Gold', { condition_values: { total_earned: 10 } });
    const client = await enrolled(workspace);
    await earn(workspace, client.id, 100);
    const adjust = (amount: number, wallet_type_code: string) =>
      workspace.post(':ws/loyalty/points/adjust', {
        client_id: client.id,
        amount,
        description: 'by hand',
        wallet_type_code,
      });
    expectStatus(await adjust(9.5, stars.code), 201);
    expectStatus(await adjust(-5, stars.code), 201);
    expectStatus(await adjust(-5, points.code), 201);
    await until(async () => (await tierOf(workspace, client.id)).metrics.total_earned === 9.5);
    expect((await tierOf(workspace, client.id)).tier).toBeNull();
    expectStatus(await adjust(0.5, stars.code), 201);
    await untilTier(workspace, client.id, gold.id);
  });
});

describe('an exclusive tier', () => {
  test('outranks auto tiers until it is taken away', async () => {
    const { workspace, silver, gold, vip } = await levels();
    const client = await enrolled(workspace);
    await earn(workspace, client.id, 100);
    await untilTier(workspace, client.id, silver.id);
    const assign = { client_id: client.id, tier_id: vip.id, duration_days: 30 };
    const { data } = expectStatus(await workspace.post(':ws/tiers/assign', assign), 200).body;
    expect(data).toEqual({
      client_id: client.id,
      tier_id: vip.id,
      manually_assigned: true,
      promoted_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.promoted_at)).toBe(30 * 86_400_000);
    await earn(workspace, client.id, 500);
    await until(async () => (await tierOf(workspace, client.id)).metrics.total_earned === 600);
    expect(await tierOf(workspace, client.id)).toMatchObject({
      tier: vip,
      manually_assigned: true,
      expires_at: data.expires_at,
    });
    const freed = expectStatus(
      await workspace.post(':ws/tiers/unassign', { client_id: client.id }),
      200,
    );
    expect(freed.body.data).toMatchObject({
      client_id: client.id,
      tier_id: gold.id,
      manually_assigned: false,
      expires_at: null,
    });
  });

  test('is given at once to somebody just created, and only to those who can have one', async () => {
    const { workspace, gold, vip } = await levels();
    const client = await enrolled(workspace);
    const assign = (body: object) => workspace.post(':ws/tiers/assign', body);
    expectStatus(await assign({ client_id: client.id, tier_id: vip.id }), 200);
    expectInvalid(await assign({ client_id: client.id, tier_id: gold.id }), 'tier_id');
    expectInvalid(await assign({ client_id: client.id, tier_id: randomUUID() }), 'tier_id');
    expectInvalid(await assign({ client_id: randomUUID(), tier_id: vip.id }), 'client_id');
    const outsider = await newClient(workspace);
    expectInvalid(await assign({ client_id: outsider.id, tier_id: vip.id }), 'client_id');
    for (const duration_days of [0, 3_651, 1.5, '5']) {
      const body = { client_id: client.id, tier_id: vip.id, duration_days };
      expectInvalid(await assign(body), 'duration_days');
    }
    expectInvalid(
      await workspace.post(':ws/tiers/unassign', { client_id: randomUUID() }),
      'client_id',
    );
  });
});

describe('demotion', () => {
  test('is the work of a resync, by what happened within the lookback', async () => {
    const workspace = await newWorkspace();
    await newWalletType(workspace);
    await newSet(workspace, { downgrade_config: { lookback_days: 30 } });
    const gold = await newTier(workspace, 'Gold', { condition_values: { total_earned: 100 } });
    const client = await enrolled(workspace);
    await earn(workspace, client.id, 100);
    await untilTier(workspace, client.id, gold.id);
    const preview = await workspace.post(':ws/tiers/preview', {
      tiers: [{ ...gold, condition_values: { total_earned: 101 } }],
    });
    expect(expectStatus(preview, 200).body.data).toEqual({
      evaluated: 1,
      unchanged: 0,
      changes: [{ from_tier_id: gold.id, to_tier_id: null, count: 1 }],
      sample: [{ client_id: client.id, from_tier_id: gold.id, to_tier_id: null }],
    });
    expect((await tierOf(workspace, client.id)).tier).toMatchObject({ id: gold.id });
    const raised = await workspace.patch(`:ws/tiers/${gold.id}`, {
      condition_values: { total_earned: 101 },
    });
    expect(await untilDone(workspace, raised.body.resync_job_id)).toMatchObject({
      total: 1,
      processed: 1,
      promoted: 0,
      demoted: 1,
      error: null,
    });
    expect((await tierOf(workspace, client.id)).tier).toBeNull();
    await workspace.patch(`:ws/tiers/${gold.id}`, { condition_values: { total_earned: 100 } });
    await untilTier(workspace, client.id, gold.id);
    const named = await workspace.post(':ws/tiers/recalculate', { client_ids: [client.id] });
    expect(expectStatus(named, 202).body.data).toMatchObject({ id: uuid, error: null });
    expect(await untilDone(workspace, named.body.data.id)).toMatchObject({
      total: 1,
      processed: 1,
    });
    const unknown = { client_ids: [client.id, randomUUID()] };
    expectInvalid(await workspace.post(':ws/tiers/recalculate', unknown), 'client_ids.1');
    const jobs = (await workspace.get(':ws/tiers/resync-jobs')).body.data;
    expect(jobs[0].id).toBe(named.body.data.id);
    expectStatus(await workspace.get(`:ws/tiers/resync-jobs/${randomUUID()}`), 404);
  });

  test('spares everybody while the set rests', async () => {
    const { workspace, silver, gold } = await levels();
    const client = await enrolled(workspace);
    await earn(workspace, client.id, 100);
    await untilTier(workspace, client.id, silver.id);
    expect(
      (await workspace.patch(':ws/tiers/set', { active: false })).body.resync_job_id,
    ).toBeNull();
    await earn(workspace, client.id, 500);
    await until(async () => (await tierOf(workspace, client.id)).metrics.total_earned === 600);
    expect((await tierOf(workspace, client.id)).tier.id).toBe(silver.id);
    const { body } = await workspace.patch(':ws/tiers/set', { active: true });
    expect(await untilDone(workspace, body.resync_job_id)).toMatchObject({ promoted: 1 });
    await untilTier(workspace, client.id, gold.id);
  });

  test('meets those whose tier is deleted: they fall to the one due', async () => {
    const { workspace, bronze, silver } = await levels();
    const client = await enrolled(workspace);
    await earn(workspace, client.id, 100);
    await untilTier(workspace, client.id, silver.id);
    const { body } = await workspace.del(`:ws/tiers/${silver.id}`);
    await untilDone(workspace, body.resync_job_id);
    await untilTier(workspace, client.id, bronze.id);
  });
});

describe('clients and their tiers', () => {
  test('are listed, counted and filtered, and the filters compose', async () => {
    const { workspace, bronze, silver, vip } = await levels();
    const email = uniqueEmail('ada');
    const ada = await enrolled(workspace, {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email,
      custom_fields: { city: 'Köln', vegan: true, age: 36 },
    });
    const bob = await enrolled(workspace, { first_name: 'Bob', custom_fields: { city: 'Köln' } });
    const out = await newClient(workspace, { first_name: 'Out' });
    await earn(workspace, ada.id, 100);
    await untilTier(workspace, ada.id, silver.id);
    await untilTier(workspace, bob.id, bronze.id);
    const list = async (query: Record<string, string | number> = {}) =>
      expectStatus(await workspace.get(':ws/tiers/clients', query), 200).body;
    const ids = async (query: Record<string, string | number>) =>
      (await list(query)).data.map((row: { client_id: string }) => row.client_id).sort();
    await until(async () => (await list()).meta.total === 3);
    const { data } = await list({ tier_id: silver.id });
    expect(data).toEqual([
      {
        client_id: ada.id,
        first_name: 'Ada',
        last_name: 'Lovelace',
        email,
        tier_id: silver.id,
        tier_name: 'Silver',
        tier_color: null,
        promoted_at: expect.any(String),
        manually_assigned: false,
        condition_values: { total_earned: 100, total_spending: 0, transaction_count: 0 },
      },
    ]);
    expect(await ids({ cf_city: 'Köln' })).toEqual([ada.id, bob.id].sort());
    expect(await ids({ cf_city: 'Köln', cf_vegan: 'true', cf_age: '36' })).toEqual([ada.id]);
    expect(await ids({ cf_city: 'Köln', tier_id: bronze.id })).toEqual([bob.id]);
    expect(await ids({ cf_city: 'Bonn' })).toEqual([]);
    expect(await ids({ search: 'LOVE' })).toEqual([ada.id]);
    expect(await ids({ search: 'ada love' })).toEqual([ada.id]);
    expect(await ids({ search: email.slice(0, 12) })).toEqual([ada.id]);
    expect(await ids({ search: '.*' })).toEqual([]);
    expect(await ids({ tier_id: 'loyalty_disabled' })).toEqual([out.id]);
    expect(await ids({ tier_id: 'untiered' })).toEqual([]);
    expect((await list({ limit: 1, offset: 1 })).meta).toEqual({ total: 3 });
    expectInvalid(await workspace.get(':ws/tiers/clients', { limit: 201 }), 'limit');
    expectInvalid(await workspace.get(':ws/tiers/clients', { tier_id: 'x' }), 'tier_id');
    expectInvalid(await workspace.get(':ws/tiers/clients', { colour: 'x' }), 'colour');
    const nothing = randomUUID();
    for (const field of ['tier_id', 'pass_template_id'])
      expectInvalid(await workspace.get(':ws/tiers/clients', { [field]: nothing }), field);
    const counts = expectStatus(await workspace.get(':ws/tiers/client-counts'), 200).body.data;
    expect(counts).toMatchObject({
      [bronze.id]: 1,
      [silver.id]: 1,
      [vip.id]: 0,
      untiered: 0,
      loyalty_disabled: 1,
    });
    expectStatus(await workspace.post(`:ws/clients/${ada.id}/anonymize`), 200);
    await untilTier(workspace, ada.id, null);
    expect(await ids({ search: 'Lovelace' })).toEqual([]);
    expect(await ids({ cf_vegan: 'true' })).toEqual([]);
    expectStatus(await workspace.del(`:ws/clients/${bob.id}`), 200);
    await until(async () => (await list()).meta.total === 2);
    expectStatus(await workspace.get(`:ws/clients/${bob.id}/tier`), 404);
  });

  test('merge into the higher tier with what both did', async () => {
    const { workspace, silver, gold } = await levels();
    const [source, target] = [await enrolled(workspace), await enrolled(workspace)];
    await earn(workspace, source.id, 400);
    await earn(workspace, target.id, 100);
    await untilTier(workspace, source.id, silver.id);
    await untilTier(workspace, target.id, silver.id);
    const merge = { source_client_id: source.id, target_client_id: target.id };
    expectStatus(await workspace.post(':ws/clients/merge', merge), 200);
    const merged = await untilTier(workspace, target.id, gold.id);
    expect(merged.metrics.total_earned).toBe(500);
    expectStatus(await workspace.get(`:ws/clients/${source.id}/tier`), 404);
  });
});
