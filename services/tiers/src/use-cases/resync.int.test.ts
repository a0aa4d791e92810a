import { newId } from '@laurel/lifecycle';
import { createStores } from '../deps';
import type { Tier } from '../domain/programme';
import { createHarness, FAST, type Harness, workOnResync } from '../testing/harness';
import { deleteTier } from './delete-tier';
import { previewTiers } from './preview-tiers';
import { recalculateTiers } from './recalculate-tiers';
import { reviewMembers } from './review-members';
import { PIECE } from './run-resync';
import { updateTier } from './update-tier';
import { updateTierSet } from './update-tier-set';

let harness: Harness;
beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.drop());

/** Clients in Bronze with 50 points each, more than two pieces of work. */
async function crowd(count = 2 * PIECE + 10): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  for (let at = 0; at < count; at += 200) {
    const some = ids.slice(at, at + 200);
    await harness.take(
      ...some.flatMap((id) => [harness.made.client(id), harness.made.earned(id, 50)]),
    );
  }
  return ids;
}

async function lowerSilver(silver: { id: string }): Promise<string> {
  const { resync_job_id } = await updateTier(harness.deps, {
    workspace_id: harness.workspaceId,
    id: silver.id,
    condition_values: { total_earned: 50 },
  });
  return resync_job_id!;
}

const job = async (id: string) => (await harness.deps.resyncJobs.find(harness.workspaceId, id))!;
const promotions = async () =>
  (await harness.told('tiers.tier_promoted')).filter(
    ({ data }) => (data as { tier: { name: string } }).tier.name === 'Silver',
  );

test('everybody is looked at once, and each move is announced once', async () => {
  const { silver } = await harness.levels();
  const ids = await crowd();
  const id = await lowerSilver(silver);
  expect(await job(id)).toMatchObject({ status: 'queued', processed: 0 });
  await harness.resync();
  const total = ids.length;
  expect(await job(id)).toMatchObject({
    status: 'completed',
    total,
    processed: total,
    promoted: total,
    demoted: 0,
    error: null,
  });
  const told = await promotions();
  expect(new Set(told.map(({ subject }) => subject)).size).toBe(total);
  expect(told).toHaveLength(total);
});

test('a worker that dies in the middle is followed by one that goes on exactly there', async () => {
  const { silver } = await harness.levels();
  const ids = await crowd();
  const id = await lowerSilver(silver);
  const { deps } = harness;
  let pieces = 0;
  const dying = {
    ...deps,
    members: {
      ...deps.members,
      eligiblePieces: async (...asked: Parameters<typeof deps.members.eligiblePieces>) => {
        // Taken, but not begun: it runs from the moment that it says since when.
        expect(await job(id)).toMatchObject({ status: 'queued', startedAt: null });
        return deps.members.eligiblePieces(...asked);
      },
      saveAll: async (...args: Parameters<typeof deps.members.saveAll>) => {
        pieces += 1;
        await deps.members.saveAll(...args);
        // Dies with the second piece written but not committed.
        if (pieces === 2) throw new Error('killed');
      },
    },
    // A dead process gives nothing back.
    resyncJobs: { ...deps.resyncJobs, giveBack: async () => undefined },
  };
  await workOnResync(dying, FAST);
  expect(await job(id)).toMatchObject({
    status: 'running',
    startedAt: expect.any(Date),
    processed: PIECE,
    promoted: PIECE,
  });
  expect(await workOnResync(deps, FAST)).toEqual({ more: false });
  harness.clock.advanceMs(31_000);
  await harness.resync();
  expect(await job(id)).toMatchObject({ status: 'completed', promoted: ids.length });
  expect(await promotions()).toHaveLength(ids.length);
});

test('a worker that was taken for dead writes nothing any more', async () => {
  const { silver } = await harness.levels();
  const ids = await crowd();
  const id = await lowerSilver(silver);
  const { deps } = harness;
  const other = { ...deps, ...createStores(deps.connection) };
  let isSlow = true;
  const slow = {
    ...deps,
    tierSets: {
      ...deps.tierSets,
      find: async (...args: Parameters<typeof deps.tierSets.find>) => {
        if (isSlow) {
          isSlow = false;
          harness.clock.advanceMs(31_000);
          while ((await workOnResync(other, FAST)).more);
          // A second look by these rules would demote everybody.
          const raised = { ...silver, condition_values: { total_earned: 1_000 } };
          const session = await deps.connection.startSession();
          await deps.tiers.replace(raised as unknown as Tier, session);
          await session.endSession();
        }
        return deps.tierSets.find(...args);
      },
    },
  };
  await workOnResync(slow, FAST);
  expect(await job(id)).toMatchObject({
    status: 'completed',
    processed: ids.length,
    promoted: ids.length,
  });
  expect(await promotions()).toHaveLength(ids.length);
  expect(await harness.told('tiers.tier_demoted')).toHaveLength(0);
});

test('two replicas with several jobs process each client once per job', async () => {
  const { silver } = await harness.levels();
  const ids = await crowd();
  const id = await lowerSilver(silver);
  const named = await recalculateTiers(harness.deps, {
    workspace_id: harness.workspaceId,
    client_ids: ids.slice(0, 300),
  });
  const replica = () => ({ ...harness.deps, ...createStores(harness.deps.connection) });
  const work = async (deps: ReturnType<typeof replica>) => {
    while ((await workOnResync(deps, FAST)).more);
  };
  await Promise.all([work(replica()), work(replica())]);
  expect(await job(id)).toMatchObject({ status: 'completed', processed: ids.length });
  expect(await job(named.id)).toMatchObject({ status: 'completed', total: 300, processed: 300 });
  expect(await promotions()).toHaveLength(ids.length);
});

test('a fault is tried again, and in the end reported', async () => {
  const { silver } = await harness.levels();
  await crowd(3);
  const id = await lowerSilver(silver);
  const { deps } = harness;
  const broken = {
    ...deps,
    members: { ...deps.members, saveAll: async () => Promise.reject(new Error('no')) },
  };
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    expect(await job(id)).toMatchObject({ finishedAt: null });
    await workOnResync(broken, FAST);
    harness.clock.advanceMs(3_600_000);
  }
  expect(await job(id)).toMatchObject({ status: 'failed', error: expect.any(String) });
  expect(await promotions()).toHaveLength(0);
});

test('a job that goes on after many faults is not given up at the first one that comes later', async () => {
  const { silver } = await harness.levels();
  const ids = await crowd();
  const id = await lowerSilver(silver);
  const { deps } = harness;
  let writes = 0;
  const faulty = {
    ...deps,
    members: {
      ...deps.members,
      saveAll: async (...args: Parameters<typeof deps.members.saveAll>) => {
        writes += 1;
        if (writes !== 8) throw new Error('no');
        return deps.members.saveAll(...args);
      },
    },
  };
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await workOnResync(faulty, FAST);
    harness.clock.advanceMs(3_600_000);
  }
  expect(await job(id)).toMatchObject({ status: 'running', processed: PIECE });
  await harness.resync();
  expect(await job(id)).toMatchObject({ status: 'completed', promoted: ids.length });
});

test('a stopping worker hands over at once', async () => {
  const { silver } = await harness.levels();
  await crowd(3);
  const id = await lowerSilver(silver);
  await workOnResync(harness.deps, { ...FAST, isStopping: () => true });
  expect(await job(id)).toMatchObject({ status: 'running', processed: 0 });
  await harness.resync();
  expect(await job(id)).toMatchObject({ status: 'completed', processed: 3 });
});

test('who decides by rules that a resync has replaced meanwhile decides again', async () => {
  const { silver } = await harness.levels();
  const id = newId();
  await harness.take(harness.made.client(id), harness.made.earned(id, 90));
  const { deps } = harness;
  let isFirst = true;
  const list = deps.tiers.list;
  deps.tiers.list = async (...args) => {
    const rules = await list(...args);
    if (!isFirst) return rules;
    isFirst = false;
    const condition_values = { total_earned: 200 };
    const request = { workspace_id: harness.workspaceId, id: silver.id, condition_values };
    await updateTier(deps, request);
    await harness.resync();
    return rules;
  };
  await harness.take(harness.made.earned(id, 20));
  expect((await harness.member(id))!.activity.lifetime.earned).toEqual({ points: 1_100_000 });
  expect((await harness.member(id))!.tier).toMatchObject({ name: 'Bronze' });
});

test('several changes before a job begins share it', async () => {
  const { silver } = await harness.levels();
  const first = await lowerSilver(silver);
  const request = { workspace_id: harness.workspaceId, downgrade_config: { lookback_days: 5 } };
  expect((await updateTierSet(harness.deps, request)).resync_job_id).toBe(first);
  await harness.resync();
  const again = { ...request, downgrade_config: { lookback_days: 6 } };
  expect((await updateTierSet(harness.deps, again)).resync_job_id).not.toBe(first);
});

test('a preview says what the resync then does, and writes nothing', async () => {
  const { silver, bronze, gold, vip } = await harness.levels();
  const ids = await crowd(60);
  await harness.take(harness.made.earned(ids[0]!, 60));
  const before = await harness.deps.members.findMany(harness.workspaceId, ids);
  const tiers = {
    items: [
      { id: bronze.id },
      { id: silver.id, condition_values: { total_earned: 50 } },
      { id: gold.id },
      { id: vip.id },
    ],
  };
  const request = { workspace_id: harness.workspaceId, tiers };
  const preview = await previewTiers(harness.deps, request);
  expect(preview).toMatchObject({
    evaluated: 60,
    unchanged: 1,
    changes: [{ from_tier_id: bronze.id, to_tier_id: silver.id, count: 59 }],
  });
  expect(preview.sample).toHaveLength(50);
  expect(await harness.deps.members.findMany(harness.workspaceId, ids)).toEqual(before);
  const id = await lowerSilver(silver);
  await harness.resync();
  expect(await job(id)).toMatchObject({ promoted: 59, demoted: 0 });
  expect(await previewTiers(harness.deps, request)).toMatchObject({ unchanged: 60, changes: [] });
});

test('a tier that is deleted gives back nothing that a review took, as its preview says', async () => {
  const lookback = { downgrade_config: { lookback_days: 30 } };
  const { silver, bronze, gold, vip } = await harness.levels(lookback);
  const id = newId();
  const { deps, made, clock, workspaceId: workspace_id } = harness;
  await harness.take(made.client(id), made.earned(id, 600));
  clock.advanceMs(32 * 86_400_000);
  await harness.take(made.earned(id, 100));
  await reviewMembers(deps);
  expect(await harness.member(id)).toMatchObject({ tier: { id: silver.id }, lapsed: true });
  const before = (await harness.told()).length;
  const tiers = { items: [bronze, gold, vip].map((tier) => ({ id: tier.id })) };
  expect(await previewTiers(deps, { workspace_id, tiers })).toMatchObject({
    changes: [{ from_tier_id: silver.id, to_tier_id: bronze.id, count: 1 }],
  });
  const { resync_job_id } = await deleteTier(deps, { workspace_id, id: silver.id });
  await harness.resync();
  await reviewMembers(deps);
  expect(await job(resync_job_id!)).toMatchObject({ promoted: 0, demoted: 1 });
  expect(await harness.member(id)).toMatchObject({ tier: { id: bronze.id }, lapsed: true });
  const told = (await harness.told()).slice(before).map(({ type }) => type);
  expect(told).toEqual(['tiers.tier_deleted', 'tiers.tier_demoted']);
});
