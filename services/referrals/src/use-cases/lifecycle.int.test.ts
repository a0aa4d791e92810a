import {
  forgetSandbox,
  newId,
  noteSandbox,
  runInContext,
  systemContext,
  workspaceClock,
} from '@laurel/lifecycle';
import { createHarness, type Harness, openDatabase, trailEvent } from '../testing/harness';
import { cancelPending } from './cancel-pending';
import { cancelReferral } from './cancel-referral';
import { completeReferral } from './complete-referral';
import { deleteProgram } from './delete-program';
import { expireReferrals } from './expire-referrals';
import { finishDeletions } from './finish-deletions';
import { getAnalytics } from './get-analytics';
import { getClientReferral } from './get-client-referral';
import { getProgram } from './get-program';
import { getStats } from './get-stats';

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

const here = () => ({ workspace_id: harness.workspaceId });
const stats = () => getStats(harness.deps, here());

describe('the program', () => {
  test('is one per workspace: a second write replaces it, and what is left out is null', async () => {
    const first = await harness.program({
      pending_expiry_days: 30,
      max_referrals_per_referrer: 5,
    });
    expect(first).toMatchObject({ enabled: true, pending_expiry_days: 30, distribution_id: null });
    const second = await harness.program({ completion_criteria: 'pass_install' });
    expect(second).toEqual({
      ...first,
      etag: expect.stringMatching(/-2$/),
      completion_criteria: 'pass_install',
      pending_expiry_days: null,
      max_referrals_per_referrer: null,
    });
    expect(await getProgram(harness.deps, here())).toEqual(second);
  });

  test('written by many at once is still one', async () => {
    const written = await Promise.all(Array.from({ length: 8 }, () => harness.program()));
    expect(new Set(written.map(({ id }) => id)).size).toBe(1);
  });

  test('that is missing is NOT_FOUND, for reading and for deleting', async () => {
    const missing = { code: 'NOT_FOUND', httpStatus: 404 };
    await expect(getProgram(harness.deps, here())).rejects.toMatchObject(missing);
    await expect(deleteProgram(harness.deps, here())).rejects.toMatchObject(missing);
  });

  test('takes its pending referrals with it, and no others', async () => {
    await harness.program();
    const done = await harness.referral();
    await completeReferral(harness.deps, { ...here(), id: done });
    for (let made = 0; made < 3; made += 1) await harness.referral();
    expect(await deleteProgram(harness.deps, here())).toEqual({ cancelled_pending: 3 });
    expect(await stats()).toEqual({ pending: 0, completed: 1, expired: 0, cancelled: 3 });
    expect(await harness.told('referrals.referral_cancelled')).toHaveLength(3);

    await harness.program();
    await harness.referral();
    harness.clock.advanceMs(120_000);
    await finishDeletions(harness.deps);
    expect(await harness.deps.connection.collection('programs').countDocuments(here())).toBe(1);
    expect((await stats()).pending).toBe(1);
  });

  test('says how many it took with it, also where a job was at them first', async () => {
    const { deps } = harness;
    await harness.program();
    const kept = await harness.referral();
    await cancelReferral(deps, { ...here(), id: kept });
    for (let made = 0; made < 3; made += 1) await harness.referral();
    const overtaken: typeof deps.closings.candidates = async (...asked) => {
      const found = await deps.closings.candidates(...asked);
      await finishDeletions(deps);
      return found;
    };
    const raced = { ...deps, closings: { ...deps.closings, candidates: overtaken } };
    expect(await deleteProgram(raced, here())).toEqual({ cancelled_pending: 3 });
    expect(await stats()).toMatchObject({ pending: 0, cancelled: 4 });
  });

  test('that was deleted just before a crash loses its pending referrals all the same', async () => {
    await harness.program();
    await harness.referral();
    const program = await harness.deps.programs.find(harness.workspaceId);
    await harness.deps.programs.retire(program!, harness.clock.now());
    await finishDeletions(harness.deps);
    expect(await stats()).toMatchObject({ pending: 0, cancelled: 1 });
  });

  test('that was deleted in a sandbox is forgotten, too, however far its clock is ahead', async () => {
    const { deps, workspaceId } = harness;
    noteSandbox(workspaceId, 365 * DAY_MS);
    try {
      await harness.program();
      const program = await deps.programs.find(workspaceId);
      const deletedAt = new Date(workspaceClock.now(workspaceId).getTime() - 120_000);
      await deps.programs.retire(program!, deletedAt);
      await finishDeletions({ ...deps, clock: workspaceClock });
      expect(await deps.connection.collection('programs').countDocuments(here())).toBe(0);
    } finally {
      forgetSandbox(workspaceId);
    }
  });
});

test('a deleted program loses its pending referrals though those of another cannot be reached, and the round rejects with that', async () => {
  const sound = createHarness(database.connections);
  for (const each of [harness, sound]) {
    await each.program();
    await each.referral();
    const program = await each.deps.programs.find(each.workspaceId);
    await each.deps.programs.retire(program!, each.clock.now());
  }
  const { deps, workspaceId: broken } = harness;
  const candidates: typeof deps.closings.candidates = async (selection, limit) => {
    if ('workspaceId' in selection && selection.workspaceId === broken)
      throw new Error('a document that cannot be read');
    return deps.closings.candidates(selection, limit);
  };
  const findDeleted: typeof deps.programs.findDeleted = async (limit) =>
    (await deps.programs.findDeleted(limit)).sort((one) => (one.workspaceId === broken ? -1 : 1));
  const faulty = {
    ...deps,
    closings: { ...deps.closings, candidates },
    programs: { ...deps.programs, findDeleted },
  };
  await expect(finishDeletions(faulty)).rejects.toThrow('1 of ');
  const there = { workspace_id: sound.workspaceId };
  expect(await getStats(sound.deps, there)).toMatchObject({ pending: 0, cancelled: 1 });
  expect(await stats()).toMatchObject({ pending: 1 });
});

describe('the share link', () => {
  const page = 'https://shop.example/d/1';
  const tell = (id: string, url: string | null, on = harness) =>
    on.deliver(on.event('passes.distribution_updated', { distribution_id: id, public_url: url }));
  const shareUrl = async (client_id: string) =>
    (await getClientReferral(harness.deps, { ...here(), client_id })).share_url;

  test('leads to the distribution’s page, and nowhere once there is none', async () => {
    const [id, { id: client }] = [newId(), harness.client()];
    await tell(id, page);
    await harness.program({ distribution_id: id });
    const code = await harness.codeOf(client);
    expect(await shareUrl(client)).toBe(`${page}?ref=${code}`);
    harness.clock.advanceMs(1_000);
    await tell(id, null);
    expect(await shareUrl(client)).toBeNull();
    harness.clock.advanceMs(1_000);
    await harness.deliver(harness.event('passes.distribution_deleted', { distribution_id: id }));
    await tell(id, page);
    expect(await shareUrl(client)).toBeNull();
    expect((await getProgram(harness.deps, here())).distribution_id).toBeNull();
  });

  test('leads to the page that was said last, though a clock that was ahead had dated the state before', async () => {
    const [id, { id: client }] = [newId(), harness.client()];
    const told = (public_url: string | null, distribution_revision: number, aheadMs: number) => {
      const data = { distribution_id: id, public_url, distribution_revision };
      const event = harness.event('passes.distribution_updated', data);
      const time = new Date(harness.clock.now().getTime() + aheadMs).toISOString();
      return harness.deliver({ ...event, time });
    };
    await told(page, 1, 600_000);
    await harness.program({ distribution_id: id });
    expect(await shareUrl(client)).not.toBeNull();
    await told(null, 2, 0);
    expect(await shareUrl(client)).toBeNull();
    await told(page, 1, 900_000);
    expect(await shareUrl(client)).toBeNull();
  });

  test('needs a distribution of the workspace', async () => {
    const refused = { code: 'INVALID_PAYLOAD', problems: [{ field: 'distribution_id' }] };
    await expect(harness.program({ distribution_id: newId() })).rejects.toMatchObject(refused);
  });

  test('takes a distribution that is still on its way here', async () => {
    const id = newId();
    const written = harness.program({ distribution_id: id });
    await tell(id, page);
    expect((await written).distribution_id).toBe(id);
  });
});

describe('time', () => {
  test('expires what is due, once, on any number of replicas, and tells of each', async () => {
    await harness.program({ pending_expiry_days: 2 });
    for (let made = 0; made < 6; made += 1) await harness.referral();
    await harness.program({ pending_expiry_days: 3 });
    await harness.referral();
    harness.clock.advanceMs(2 * DAY_MS - 1);
    await expireReferrals(harness.deps);
    expect((await stats()).expired).toBe(0);
    harness.clock.advanceMs(1);
    await harness.program({ enabled: false });
    await Promise.all(
      [harness.deps, harness.other, harness.deps, harness.other].map(expireReferrals),
    );
    expect(await stats()).toEqual({ pending: 1, completed: 0, expired: 6, cancelled: 0 });
    expect(await harness.told('referrals.referral_expired')).toHaveLength(6);
  });

  test('that has run out is not turned back by a purchase before the job has been', async () => {
    await harness.program({ pending_expiry_days: 1 });
    const referee = harness.client();
    await harness.referral(harness.client(), referee);
    harness.clock.advanceMs(DAY_MS);
    const purchase = trailEvent(harness, referee.id);
    await harness.deliver(harness.event('transaction.purchase', purchase));
    await expireReferrals(harness.deps);
    expect(await stats()).toMatchObject({ completed: 0, expired: 1 });
  });

  test('is shown by day, with those who brought most in it', async () => {
    await harness.program();
    const [first, second] = [harness.client({ first_name: 'Rae' }), harness.client()];
    await harness.referral(second);
    harness.clock.advanceMs(DAY_MS);
    const ids = [await harness.referral(first), await harness.referral(first)];
    await completeReferral(harness.deps, { ...here(), id: ids[0]! });
    expect(await getAnalytics(harness.deps, { ...here(), days: 3 })).toEqual({
      timeline: [
        { date: '2026-01-14', created: 0, completed: 0 },
        { date: '2026-01-15', created: 1, completed: 0 },
        { date: '2026-01-16', created: 2, completed: 1 },
      ],
      top_referrers: [
        {
          client_id: first.id,
          person: { first_name: 'Rae', last_name: null, email: first.email },
          completed_count: 1,
          pending_count: 1,
        },
        expect.objectContaining({ client_id: second.id, completed_count: 0, pending_count: 1 }),
      ],
    });
    const today = await getAnalytics(harness.deps, { ...here(), days: 1 });
    expect(today.top_referrers?.map(({ client_id }) => client_id)).toEqual([first.id]);
  });
});

test('cancelling all pending ones at once, from two sides, cancels and counts each once', async () => {
  await harness.program();
  for (let made = 0; made < 12; made += 1) await harness.referral();
  const replies = await Promise.all(
    [harness.deps, harness.other].map((deps) => cancelPending(deps, here())),
  );
  expect(replies.reduce((sum, { cancelled }) => sum + cancelled, 0)).toBe(12);
  expect(await stats()).toMatchObject({ pending: 0, cancelled: 12 });
  expect(await harness.told('referrals.referral_cancelled')).toHaveLength(12);
});

describe('a repeat of cancelling all pending ones under its key', () => {
  const underOneKey = () => {
    const context = { ...systemContext({ operationId: newId() }), operationKept: true };
    return (deps = harness.deps) => runInContext(context, () => cancelPending(deps, here()));
  };
  const make = async (count: number) => {
    for (let made = 0; made < count; made += 1) await harness.referral();
  };

  test('is answered as the first time, and leaves alone the referrals that were made since', async () => {
    await harness.program();
    await make(4);
    const cancel = underOneKey();
    expect(await cancel()).toEqual({ cancelled: 4 });
    await make(3);
    expect(await cancel(harness.other)).toEqual({ cancelled: 4 });
    expect(await stats()).toMatchObject({ pending: 3, cancelled: 4 });
    expect(await underOneKey()()).toEqual({ cancelled: 3 });
  });

  test('goes on where the first died, and counts what that had cancelled', async () => {
    await harness.program();
    await make(4);
    const { deps } = harness;
    const cancel = underOneKey();
    const dying: typeof deps.closings = {
      ...deps.closings,
      candidates: (selection) => deps.closings.candidates(selection, 2),
      countClosedFor: async () => Promise.reject(new Error('killed')),
    };
    await expect(cancel({ ...deps, closings: dying })).rejects.toThrow('killed');
    expect(await stats()).toMatchObject({ pending: 2, cancelled: 2 });
    harness.clock.advanceMs(1_000);
    await make(3);
    expect(await Promise.all([cancel(), cancel(harness.other)])).toEqual([
      { cancelled: 4 },
      { cancelled: 4 },
    ]);
    expect(await stats()).toMatchObject({ pending: 3, cancelled: 4 });
    expect(await harness.told('referrals.referral_cancelled')).toHaveLength(4);
  });
});
