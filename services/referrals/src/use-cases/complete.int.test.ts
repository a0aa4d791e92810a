import { newId } from '@laurel/lifecycle';
import { programs } from '../store/programs';
import { createHarness, type Harness, openDatabase, trailEvent } from '../testing/harness';
import { cancelReferral } from './cancel-referral';
import { completeReferral } from './complete-referral';
import { countCompleted } from './count-completed';
import { expireReferrals } from './expire-referrals';
import { getAnalytics } from './get-analytics';
import { getStats } from './get-stats';
import { quoteCompletion } from './quote-completion';

const COMPLETED = 'referrals.referral_completed';
const EXPIRED = 'referrals.referral_expired';
const DAY_MS = 86_400_000;

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

  test('completes a referral in a clone, though the sandbox that it was made of is a year ahead', async () => {
    harness.clock.advanceMs(365 * DAY_MS);
    await harness.program();
    const copy = createHarness(database.connections);
    const { connection } = copy.deps;
    const { ids } = await programs.surveyForClone(connection, harness.workspaceId, []);
    const order = { source: harness.workspaceId, clone: copy.workspaceId, ids };
    await programs.copyToClone(connection, { ...order, renamed: new Map() }, () => false);
    const referee = copy.client();
    await copy.referral(copy.client(), referee);
    copy.clock.advanceMs(60_000);
    await copy.deliver(copy.event('transaction.purchase', trailEvent(copy, referee.id)));
    const counts = await getStats(copy.deps, { workspace_id: copy.workspaceId });
    expect(counts).toMatchObject({ pending: 0, completed: 1 });
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

describe('what was recorded before a referral expired', () => {
  /** A referral of one day, and a purchase from the last minute of it that is still on its way when the day is over. */
  async function overdue(referrer = harness.client(), referee = harness.client()) {
    const id = await harness.referral(referrer, referee);
    harness.clock.advanceMs(DAY_MS - 60_000);
    const purchase = purchaseOf(referee.id);
    harness.clock.advanceMs(60_000);
    return { id, referrer, referee, purchase };
  }

  test('completes it once, however late and often it is heard of, and nothing expires it again', async () => {
    await harness.program({ pending_expiry_days: 1 });
    const { id, referrer, referee, purchase } = await overdue();
    await expireReferrals(harness.deps);
    expect(await stats()).toEqual({ pending: 0, completed: 0, expired: 1, cancelled: 0 });
    harness.clock.advanceMs(DAY_MS);
    await harness.deliver(purchaseOf(referee.id));
    expect(await stats()).toMatchObject({ completed: 0, expired: 1 });
    await Promise.all([harness.deliver(purchase), harness.deliver(purchase, harness.other)]);
    await harness.deliver({ ...purchase, id: newId() });
    await expireReferrals(harness.deps);

    expect(await stats()).toEqual({ pending: 0, completed: 1, expired: 0, cancelled: 0 });
    const told = (await harness.told()).filter(({ type }) => type !== 'referrals.referral_created');
    expect(told.map(({ type }) => type)).toEqual([EXPIRED, COMPLETED, COMPLETED]);
    const qualifying = { qualifying_event_id: purchase.data.id, referral_id: id };
    expect(told.slice(1).map(({ data }) => data)).toEqual([
      expect.objectContaining({ ...qualifying, role: 'referrer', referrer_completed_count: 1 }),
      expect.objectContaining({ ...qualifying, role: 'referee' }),
    ]);
    const client_ids = [referrer.id];
    const counted = await countCompleted(harness.deps, {
      workspace_id: harness.workspaceId,
      client_ids,
    });
    expect(counted.counts).toEqual([{ client_id: referrer.id, count: 1 }]);
    const { timeline } = await getAnalytics(harness.deps, {
      workspace_id: harness.workspaceId,
      days: 3,
    });
    expect(timeline!.map(({ completed }) => completed)).toEqual([0, 0, 1]);
    await expect(completeReferral(harness.deps, byId(id))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('completes it beside the job that expires it, on two instances, as often as the cap allows', async () => {
    await harness.program({ pending_expiry_days: 1, max_referrals_per_referrer: 8 });
    const referrer = harness.client();
    const referees = Array.from({ length: 12 }, () => harness.client());
    for (const referee of referees) await harness.referral(referrer, referee);
    harness.clock.advanceMs(60_000);
    const purchases = referees.map(({ id }) => purchaseOf(id));
    harness.clock.advanceMs(DAY_MS);
    const { deps, other } = harness;
    await Promise.all([
      ...purchases.map((event, at) => harness.deliver(event, at % 2 ? deps : other)),
      ...[deps, other, deps, other].map(expireReferrals),
    ]);
    await expireReferrals(deps);
    expect(await stats()).toEqual({ pending: 0, completed: 8, expired: 4, cancelled: 0 });
    expect(await harness.told(COMPLETED)).toHaveLength(16);
    const expired = (await harness.told(EXPIRED)).map(({ subject }) => subject);
    expect(new Set(expired).size).toBe(expired.length);
    expect(expired.length).toBeGreaterThanOrEqual(4);
  });

  test('completes nothing that would close a circle by now', async () => {
    await harness.program({ pending_expiry_days: 1 });
    const { referrer, referee, purchase } = await overdue();
    await expireReferrals(harness.deps);
    const between = harness.client();
    await harness.referral(referee, between);
    await harness.referral(between, referrer);
    await harness.deliver(purchase);
    expect(await stats()).toEqual({ pending: 2, completed: 0, expired: 1, cancelled: 0 });
  });

  test('completes the referral of whom the buyer took over meanwhile', async () => {
    await harness.program({ pending_expiry_days: 1 });
    const { id, referee, purchase } = await overdue();
    await expireReferrals(harness.deps);
    const heir = harness.client();
    const merge = { source_client_id: referee.id, target_client_id: heir.id };
    await harness.deliver(harness.event('clients.merged', merge));
    await harness.deliver(purchase);
    expect(await harness.deps.referrals.find(harness.workspaceId, id)).toMatchObject({
      status: 'completed',
      referee_client_id: heir.id,
    });
  });

  test('is foretold to complete it by a purchase of that moment, and by none of now', async () => {
    await harness.program({ pending_expiry_days: 1 });
    const { id, referee } = await overdue();
    await expireReferrals(harness.deps);
    const quoteAt = async (moment: Date) => {
      const at = moment.toISOString();
      const asked = { workspace_id: harness.workspaceId, client_id: referee.id, at, heard_at: at };
      const quote = await quoteCompletion(harness.deps, {
        ...asked,
        criteria: 'first_transaction',
      });
      return quote.completed?.referral_id;
    };
    const now = harness.clock.now();
    expect(await quoteAt(now)).toBeUndefined();
    expect(await quoteAt(new Date(now.getTime() - 1))).toBe(id);
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
