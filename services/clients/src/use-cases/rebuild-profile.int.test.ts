import { newId } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { toUnits } from '@laurel/values/amount';
import fc from 'fast-check';
import type { Deps } from '../deps';
import { CUSTOM_KINDS_MAX, TIMES_MAX } from '../domain/segments/profile';
import { withEvent } from '../domain/segments/profile-changes';
import { keptOf } from '../domain/segments/whole-trail';
import { blankEvent, type TrailEvent } from '../domain/trail-event';
import { createHarness, type Harness } from '../testing/harness';
import { rebuildProfile } from './rebuild-profile';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.drop());

const NOW = Date.parse('2026-03-10T12:34:56.789Z');
const MINUTE_MS = 60_000;

type Deed = readonly [kind: string, minutesAgo: number, amount: number];

/** A row as the trail has it. Of two of the same moment the later one in a list was recorded later. */
function rowOf(clientId: string, [kind, minutesAgo, amount]: Deed): TrailEvent {
  const [category, type] = kind.split(' ') as [TrailEvent['event_category'], string];
  const id = newId();
  const row = blankEvent(category, type, {
    id,
    workspaceId: harness.workspaceId,
    clientId,
    passId: null,
    clientName: null,
    timestamp: new Date(NOW - minutesAgo * MINUTE_MS),
    source: null,
  });
  if (category === 'transaction') return { ...row, amount: toUnits(amount) };
  if (category === 'referral') {
    return { ...row, metadata: { role: amount % 3 === 0 ? 'referred' : 'referrer' } };
  }
  if (category !== 'loyalty') return row;
  // Those of others than the ledger name no entry that is theirs.
  const metadata = { points_ledger_id: amount % 4 === 0 ? newId() : id };
  return { ...row, metadata, points_delta: toUnits(type === 'points_spent' ? -amount : amount) };
}

async function clientWith(deeds: readonly Deed[]): Promise<{ id: string; rows: TrailEvent[] }> {
  const { id } = await harness.client();
  const rows = deeds.map((deed) => rowOf(id, deed));
  await unitOfWork(harness.deps.connection, (session) =>
    harness.deps.events.insertAll(rows, session),
  );
  const newestFirst = rows.toSorted(
    (one, other) =>
      Number(other.event_timestamp) - Number(one.event_timestamp) || (one.id < other.id ? 1 : -1),
  );
  return { id, rows: newestFirst };
}

const rebuild = (deps: Deps, clientId: string): Promise<void> =>
  unitOfWork(deps.connection, (session) =>
    rebuildProfile(deps, { workspaceId: harness.workspaceId, session }, clientId),
  );
const profileOf = async (clientId: string) =>
  (await harness.deps.profiles.find(harness.workspaceId, clientId))!;

const KINDS = [
  'transaction purchase',
  'transaction refund',
  'loyalty points_earned',
  'loyalty points_adjusted',
  'loyalty points_spent',
  'engagement scan',
  'referral referral_completed',
];
/** What a refund gives back is little, so that no hour comes to nothing: of that only the sum is kept, and not when it was. */
const amountOf = (kind: string, seed: number) => (kind.endsWith('refund') ? 1 : 9_000 + seed);

const trails = fc
  .record({
    most: fc.integer({ min: 1, max: 2_600 }),
    minutes: fc.constantFrom(90, 5_000, 500_000, 5_000_000),
    customKinds: fc.constantFrom(3, CUSTOM_KINDS_MAX + 60),
    usual: fc.constantFrom(...KINDS, 'custom'),
    deeds: fc.array(fc.tuple(fc.nat(9), fc.nat(), fc.nat(999)), {
      minLength: 2_600,
      maxLength: 2_600,
      size: 'max',
    }),
  })
  .map(({ most, minutes, customKinds, usual, deeds }) =>
    deeds.slice(0, most).map(([pick, place, seed]): Deed => {
      const named = KINDS[pick] ?? usual;
      const kind = named === 'custom' ? `custom kind-${seed % customKinds}` : named;
      return [kind, place % minutes, amountOf(kind, seed)];
    }),
  );

test('a profile made anew is the same as all rows of the trail make, one after the other and put together', async () => {
  await fc.assert(
    fc.asyncProperty(trails, async (deeds) => {
      const { id, rows } = await clientWith(deeds);
      const blank = await profileOf(id);
      await rebuild(harness.deps, id);
      const { times, spent, earned, metrics } = await profileOf(id);
      const oneByOne = rows.reduce(withEvent, blank);
      const whole = keptOf(rows);
      expect(times).toEqual(oneByOne.times);
      expect({ spent, earned }).toEqual({ spent: whole.spent, earned: whole.earned });
      expect(metrics.referrals_completed).toBe(oneByOne.metrics.referrals_completed);
    }),
    { numRuns: 12 },
  );
}, 300_000);

/** The dependencies, with the rows counted that are read of trails. */
function counting(): { deps: Deps; read: number[] } {
  const { deps } = harness;
  const read: number[] = [];
  const counted =
    <Asked extends unknown[], Row>(ask: (...asked: Asked) => Promise<Row[]>) =>
    async (...asked: Asked): Promise<Row[]> => {
      const rows = await ask(...asked);
      read.push(rows.length);
      return rows;
    };
  const { newestTold, amountsSpent, amountsEarned } = deps.events;
  const events = {
    ...deps.events,
    newestTold: counted(newestTold),
    amountsSpent: counted(amountsSpent),
    amountsEarned: counted(amountsEarned),
  };
  return { deps: { ...deps, events }, read };
}

test('of a long trail no more is read than its profile keeps, and never much at once', async () => {
  const purchases = Array.from(
    { length: 12_000 },
    (_, n): Deed => ['transaction purchase', n % 6_000, 1],
  );
  const once: Deed = ['engagement scan', 9_000, 0];
  const { id } = await clientWith([...purchases, once]);
  const { deps, read } = counting();
  await rebuild(deps, id);
  const { times } = await profileOf(id);
  expect(times['transaction purchase']).toHaveLength(TIMES_MAX);
  expect(times['engagement scan']).toEqual([new Date(NOW - 9_000 * MINUTE_MS)]);
  expect(Math.max(...read)).toBeLessThanOrEqual(1_000);
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(2_000);
});

test('while a profile is made anew others write it later, so that no event of a busy client ends it', async () => {
  const { id } = await clientWith([['transaction purchase', 1, 5]]);
  const { deps } = harness;
  const writes: string[] = [];
  const write = () =>
    deps.connection
      .collection<{ _id: string; revision: number }>('client_profiles')
      .updateOne({ _id: id }, { $inc: { revision: 1 } }, { maxTimeMS: 2_000 });
  const newestTold: Deps['events']['newestTold'] = async (...asked) => {
    const rows = await deps.events.newestTold(...asked);
    const outcome = await write().then(
      () => 'written',
      () => 'put off',
    );
    writes.push(outcome);
    return rows;
  };
  await rebuild({ ...deps, events: { ...deps.events, newestTold } }, id);
  expect(writes).toEqual(['put off']);
  await write();
  expect((await profileOf(id)).times['transaction purchase']).toHaveLength(1);
});
