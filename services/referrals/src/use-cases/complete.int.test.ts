import { newId } from '@laurel/lifecycle';
import { createHarness, type Harness, openDatabase, trailEvent } from '../testing/harness';
import { cancelReferral } from './cancel-referral';
import { completeReferral } from './complete-referral';
import { countCompleted } from './count-completed';
import { getStats } from './get-stats';

const COMPLETED = 'referrals.referral_completed';

let database: Awaited<ReturnType<typeof openDatabase>>;
let harness: Harness;
beforeAll(async () => {
  database = await openDatabase();
});
beforeEach(() => {
  harness = createHarness(database.connections);
});
afterAll(() => database.drop());

const stats = () => getStats(harness.deps, { workspace_id: harness.workspaceId });
const byId = (id: string) => ({ workspace_id: harness.workspaceId, id });
const purchaseOf = (clientId: string | null, more = {}) =>
  harness.event('transaction.purchase', trailEvent(harness, clientId, more));
const later = () => harness.clock.advanceMs(60_000);

describe('a purchase', () => {
  test('completes the referral of the buyer and tells both sides, once however often it is delivered', async () => {
    await harness.program();
    const [referrer, referee] = [harness.client(), harness.client()];
    const id = await harness.referral(referrer, referee);
    later();
    const event = purchaseOf(referee.id);
    await Promise.all([harness.deliver(event), harness.deliver(event, harness.other)]);
    await harness.deliver(event);
    await harness.deliver(purchaseOf(referee.id));

    expect(await stats()).toEqual({ pending: 0, completed: 1, expired: 0, cancelled: 0 });
    const told = await harness.told(COMPLETED);
    const qualifying = {
      referral_id: id,
      referrer_client_id: referrer.id,
      referee_client_id: referee.id,
      qualifying_event_type: 'purchase',
      qualifying_event_id: event.data.id,
    };
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        ...qualifying,
        role: 'referrer',
        client_id: referrer.id,
        referrer_completed_count: 1,
      }),
      expect.objectContaining({ ...qualifying, role: 'referee', client_id: referee.id }),
    ]);
    expect(told[1]!.data).not.toHaveProperty('referrer_completed_count');
  });

  test.each([
    ['of nothing', { amount: 0 }],
    ['dated before the referral', { event_timestamp: '2026-01-15T09:59:59.999Z' }],
    ['dated at the referral', { event_timestamp: '2026-01-15T10:00:00.000Z' }],
    ['of no client', { client_id: null }],
  ])('%s completes nothing', async (_, more) => {
    await harness.program();
    const referee = harness.client();
    await harness.referral(harness.client(), referee);
    later();
    await harness.deliver(purchaseOf(referee.id, more));
    expect((await stats()).pending).toBe(1);
  });

  test('while the program is off does not count, one after it is on again does', async () => {
    await harness.program();
    const referee = harness.client();
    await harness.referral(harness.client(), referee);
    later();
    await harness.program({ enabled: false });
    const paused = purchaseOf(referee.id);
    await harness.deliver(paused);
    later();
    await harness.program();
    const heardLate = { ...paused, id: newId() };
    await harness.deliver(heardLate);
    expect((await stats()).pending).toBe(1);
    later();
    await harness.deliver(purchaseOf(referee.id));
    expect((await stats()).completed).toBe(1);
  });

  test('completes nothing that waits for an installation, and an installation does', async () => {
    await harness.program({ completion_criteria: 'pass_install' });
    const referee = harness.client();
    await harness.referral(harness.client(), referee);
    await harness.program();
    later();
    await harness.deliver(purchaseOf(referee.id));
    expect((await stats()).pending).toBe(1);
    const { client_metrics: _, ...installed } = trailEvent(harness, referee.id, {
      event_category: 'pass_lifecycle',
      event_type: 'pass_installed',
    });
    await harness.deliver(harness.event('pass_lifecycle.pass_installed', installed));
    expect((await stats()).completed).toBe(1);
    const [told] = await harness.told(COMPLETED);
    expect(told!.data).toMatchObject({ qualifying_event_type: 'pass_installed' });
  });

  test('by 20 referees at once on two instances completes exactly as many as the cap allows', async () => {
    await harness.program({ max_referrals_per_referrer: 5 });
    const referrer = harness.client();
    const referees = Array.from({ length: 20 }, () => harness.client());
    for (const referee of referees) await harness.referral(referrer, referee);
    later();
    await Promise.all(
      referees.map(({ id }, position) =>
        harness.deliver(purchaseOf(id), position % 2 ? harness.deps : harness.other),
      ),
    );
    expect(await stats()).toMatchObject({ pending: 15, completed: 5 });
    const told = await harness.told(COMPLETED);
    expect(told).toHaveLength(10);
    const counts = told.flatMap(({ data }) => {
      const { referrer_completed_count: count } = data as { referrer_completed_count?: number };
      return count ?? [];
    });
    expect(counts.sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('completing by hand', () => {
  test('ignores program, cap and expiry, and counts', async () => {
    await harness.program({ max_referrals_per_referrer: 1, pending_expiry_days: 1 });
    const referrer = harness.client();
    const ids = [await harness.referral(referrer), await harness.referral(referrer)];
    harness.clock.advanceMs(3 * 86_400_000);
    await harness.program({ enabled: false, max_referrals_per_referrer: 1 });
    for (const id of ids) {
      expect(await completeReferral(harness.deps, byId(id))).toMatchObject({
        id,
        status: 'completed',
        qualifying_event_type: 'manual',
        qualifying_event_id: null,
      });
    }
    expect(await harness.told(COMPLETED)).toHaveLength(4);
    const request = { workspace_id: harness.workspaceId, client_ids: [referrer.id, newId()] };
    const { counts } = await countCompleted(harness.deps, request);
    expect(counts.map(({ count }) => count)).toEqual([2, 0]);
  });

  test('is refused for what is unknown, foreign, or no longer pending', async () => {
    await harness.program();
    const id = await harness.referral();
    const foreign = { workspace_id: newId(), id };
    for (const act of [completeReferral, cancelReferral]) {
      const unknown = { code: 'RECORD_NOT_FOUND', httpStatus: 404 };
      await expect(act(harness.deps, byId(newId()))).rejects.toMatchObject(unknown);
      await expect(act(harness.deps, foreign)).rejects.toMatchObject(unknown);
    }
    await completeReferral(harness.deps, byId(id));
    const conflict = { code: 'CONFLICT', httpStatus: 409 };
    await expect(completeReferral(harness.deps, byId(id))).rejects.toMatchObject(conflict);
    await expect(cancelReferral(harness.deps, byId(id))).rejects.toMatchObject(conflict);
  });

  test('by 20 at once on two instances completes each once', async () => {
    await harness.program({ max_referrals_per_referrer: 5 });
    const referrer = harness.client();
    const ids: string[] = [];
    for (let made = 0; made < 10; made += 1) ids.push(await harness.referral(referrer));
    const outcomes = await Promise.allSettled(
      [...ids, ...ids].map((id, position) =>
        completeReferral(position % 2 ? harness.deps : harness.other, byId(id)),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await stats()).toMatchObject({ pending: 0, completed: 10 });
    expect(await harness.told(COMPLETED)).toHaveLength(20);
  });

  test('and cancelling at once: one of the two wins', async () => {
    await harness.program();
    for (let round = 0; round < 5; round += 1) {
      const id = await harness.referral();
      const outcomes = await Promise.allSettled([
        completeReferral(harness.deps, byId(id)),
        cancelReferral(harness.other, byId(id)),
      ]);
      const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(lost).toHaveLength(1);
      expect(lost[0]!.reason).toMatchObject({ code: 'CONFLICT' });
    }
    const { completed, cancelled, pending } = await stats();
    expect([pending, completed + cancelled]).toEqual([0, 5]);
    expect(await harness.told(COMPLETED)).toHaveLength(completed * 2);
    expect(await harness.told('referrals.referral_cancelled')).toHaveLength(cancelled);
  });
});
