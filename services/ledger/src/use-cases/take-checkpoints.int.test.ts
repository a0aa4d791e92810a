import { newId } from '@laurel/lifecycle';
import {
  atEveryCall,
  type Death,
  mortal,
  propertySettings,
  takeUp,
  testClock,
  workOffJob,
} from '@laurel/testing';
import fc from 'fast-check';
import { jobs } from '../jobs';
import type { CheckpointPart } from '../store/checkpoint-parts';
import { createLeaves, createMerkleTree } from '../store/merkle';
import { ledgerMetrics } from '../store/metrics';
import { asCaller, type TestLedger, testLedger, testWorkspace } from '../testing/ledger';
import { takeCheckpointPart } from './take-checkpoint-part';
import { noRound, takeCheckpoints } from './take-checkpoints';

let clock: ReturnType<typeof testClock>;
let ledger: TestLedger;
let other: TestLedger;
let workspace_id: string;
beforeEach(async () => {
  clock = testClock('2026-03-01T10:30:00.000Z');
  ledger = await testLedger({ now: () => clock.now().getTime() });
  other = await ledger.replica();
  workspace_id = await testWorkspace(ledger);
});
afterEach(async () => {
  await other.deps.log.drained();
  await ledger.drop();
});

const earn = (client_id: string, amount: number, more: object = {}) =>
  asCaller(() => ledger.rpc.EarnPoints({ workspace_id, client_id, amount, ...more }));
async function earnOfMany(count: number): Promise<void> {
  for (let client = 0; client < count; client += 1) await earn(newId(), 1);
  await ledger.deps.log.drained();
}
const readParts = ({ deps }: Pick<TestLedger, 'deps'>) =>
  workOffJob(jobs(deps), 'checkpoint-parts');
/** As two replicas do, which both find the hour over and both read parts. */
async function take(walletsPerPart?: number): Promise<void> {
  const both = [ledger, other];
  await Promise.all(both.map(({ deps }) => takeCheckpoints(deps, noRound(), walletsPerPart)));
  await Promise.all(both.map(readParts));
}
async function listed(of = workspace_id) {
  const asked = { workspace_id: of, limit: 50, offset: 0 };
  return (await ledger.rpc.ListCheckpoints(asked)).checkpoints;
}
const partsLeft = () => ledger.connection.collection('checkpoint_parts').countDocuments();

/** The root over the last entry by a moment of each wallet, as the log alone has it. */
async function rootAt(at: string): Promise<{ root: string; wallets: number }> {
  const log = await ledger.connection
    .collection<{ wallet_id: string; sequence: number; hash: string; created_at: Date }>('entries')
    .find({ workspace_id, created_at: { $lte: new Date(at) } })
    .sort({ wallet_id: 1, sequence: 1 })
    .toArray();
  const last = new Map(log.map((entry) => [entry.wallet_id, entry]));
  const leaves = createLeaves();
  for (const [walletId, { sequence, hash }] of last) leaves.add({ walletId, sequence, hash });
  const tree = createMerkleTree();
  tree.add(leaves.bytes());
  return { root: tree.root(), wallets: tree.count };
}

test('one per workspace and hour, whichever process takes it, and it covers what stood at the hour', async () => {
  clock.set('2026-03-01T10:59:00.000Z');
  const [early, late] = [newId(), newId()];
  await earn(early, 1);
  clock.set('2026-03-01T11:00:30.000Z');
  await earn(early, 1);
  await earn(late, 1);
  await ledger.deps.log.drained();
  clock.set('2026-03-01T11:01:30.000Z');
  await take();
  await take();
  const checkpoints = await listed();
  expect(checkpoints).toMatchObject([{ at: '2026-03-01T11:00:00.000Z', wallets: 1 }]);
  const [{ id } = { id: '' }] = checkpoints;
  expect(await ledger.rpc.GetCheckpoint({ workspace_id, id })).toEqual(checkpoints[0]);
  await expect(ledger.rpc.GetCheckpoint({ workspace_id: newId(), id })).rejects.toMatchObject({
    code: 'RECORD_NOT_FOUND',
  });
});

test('covers a wallet whose entry is committed though no snapshot tells of it yet', async () => {
  clock.set('2026-03-01T10:59:00.000Z');
  await earnOfMany(5);
  const some = await ledger.deps.wallets.collection.find({ workspace_id }).limit(3).toArray();
  const missing = { _id: { $in: some.map(({ _id }) => _id) } };
  await ledger.deps.wallets.collection.deleteMany(missing);
  clock.set('2026-03-01T11:01:30.000Z');
  await take();
  expect(await listed()).toMatchObject([{ at: '2026-03-01T11:00:00.000Z', wallets: 5 }]);
});

test('after ninety days the last of each day is left, and proves what it proved', async () => {
  clock.set('2026-03-01T20:30:00.000Z');
  await earn(newId(), 1);
  await ledger.deps.log.drained();
  for (const hour of ['01T21', '01T22', '01T23', '02T00', '02T01']) {
    clock.set(`2026-03-${hour}:01:30.000Z`);
    await take();
  }
  const all = await listed();
  expect(all).toHaveLength(5);
  await ledger.expire(new Date('2026-05-30T00:00:00.000Z'));
  expect(await listed()).toEqual(all);
  await ledger.expire(new Date('2027-05-30T00:00:00.000Z'));
  const left = await listed();
  expect(left).toEqual(all.filter(({ at }) => /02T01|01T23/.test(at)));
  const [{ id } = { id: '' }] = left;
  expect(await ledger.rpc.GetCheckpoint({ workspace_id, id })).toEqual(left[0]);
});

test('a fault in one workspace keeps no other from its checkpoint, and the next claim makes up for it', async () => {
  clock.set('2026-03-01T14:30:00.000Z');
  const workspaces = await Promise.all([1, 2, 3].map(() => testWorkspace(ledger)));
  for (const each of workspaces) await earn(newId(), 1, { workspace_id: each });
  await ledger.deps.log.drained();
  const { entries } = ledger.deps;
  let faulty: string | undefined = workspaces[1]!;
  const unrelayedWithin: typeof entries.unrelayedWithin = async (asked, range) => {
    if (asked.workspaceId === faulty) throw new Error('a document that cannot be read');
    return entries.unrelayedWithin(asked, range);
  };
  const deps = { ...ledger.deps, entries: { ...entries, unrelayedWithin } };
  const counts = () => Promise.all(workspaces.map(async (each) => (await listed(each)).length));
  clock.set('2026-03-01T15:01:30.000Z');
  await takeCheckpoints(deps, noRound());
  await readParts({ deps });
  expect(await counts()).toEqual([1, 0, 1]);
  faulty = undefined;
  clock.advanceMs(60_001);
  await readParts({ deps });
  expect(await counts()).toEqual([1, 1, 1]);
});

test('a workspace whose wallets cannot be cut into parts keeps no other from its checkpoint, and fails the round', async () => {
  clock.set('2026-03-01T14:30:00.000Z');
  const others = await Promise.all([1, 2].map(() => testWorkspace(ledger)));
  for (const each of [workspace_id, ...others]) await earn(newId(), 1, { workspace_id: each });
  await ledger.deps.log.drained();
  const { wallets } = ledger.deps;
  const cuts: typeof wallets.cuts = async (asked, every) => {
    if (asked === workspace_id) throw new Error('a document that cannot be read');
    return wallets.cuts(asked, every);
  };
  const deps = { ...ledger.deps, wallets: { ...wallets, cuts } };
  clock.set('2026-03-01T15:01:30.000Z');
  await expect(takeCheckpoints(deps, noRound())).rejects.toThrow('1 workspaces have no parts yet');
  await readParts({ deps });
  const counts = await Promise.all(
    [workspace_id, ...others].map(async (of) => (await listed(of)).length),
  );
  expect(counts).toEqual([0, 1, 1]);
});

test('a round is over once all are signed who were there at its first look, and not before', async () => {
  const roundAt = async () => (await ledgerMetrics.checkpointAt.get()).values[0]?.value;
  const hour = (text: string) => Date.parse(`2026-03-01T${text}:00:00.000Z`) / 1_000;
  ledgerMetrics.checkpointAt.set(0);
  await earnOfMany(3);
  const round = noRound();
  const look = (minute: string) => {
    clock.set(`2026-03-01T${minute}:30.000Z`);
    return takeCheckpoints(ledger.deps, round, 1);
  };
  await look('11:01');
  expect(await roundAt()).toBe(0);
  await readParts(ledger);
  await earn(newId(), 1, { workspace_id: await testWorkspace(ledger) });
  await ledger.deps.log.drained();
  await look('11:02');
  expect(await roundAt()).toBe(hour('11'));
  await readParts(ledger);
  await look('12:01');
  await look('12:02');
  expect(await roundAt()).toBe(hour('11'));
  await readParts(ledger);
  await look('12:03');
  expect(await roundAt()).toBe(hour('12'));
});

test('a workspace without an entry by the hour is looked through once for that hour, all its wallets together', async () => {
  clock.set('2026-03-01T12:30:00.000Z');
  await earnOfMany(3);
  let looks = 0;
  const { entries } = ledger.deps;
  const lastOfEachBy: typeof entries.lastOfEachBy = (...asked) => {
    looks += 1;
    return entries.lastOfEachBy(...asked);
  };
  const deps = { ...ledger.deps, entries: { ...entries, lastOfEachBy } };
  for (const time of ['12:31:30', '12:31:31', '13:01:30']) {
    clock.set(`2026-03-01T${time}.000Z`);
    await takeCheckpoints(deps, noRound());
    await readParts({ deps });
    if (!time.startsWith('13')) expect(looks).toBe(1);
  }
  expect(await listed()).toMatchObject([{ at: '2026-03-01T13:00:00.000Z', wallets: 3 }]);
});

describe('a checkpoint that is taken in parts', () => {
  test('has the root that the log leads to, wherever it is cut and whatever snapshots say', async () => {
    await earnOfMany(12);
    const snapshots = ledger.deps.wallets.collection;
    const ids = (await snapshots.find({ workspace_id }).toArray()).sort((a, b) =>
      a._id < b._id ? -1 : 1,
    );
    clock.set('2026-03-01T11:00:30.000Z');
    for (const { client_id } of ids.slice(3, 7)) await earn(client_id, 1);
    await earnOfMany(4);
    // Snapshots that lag, and one that is not there yet.
    await snapshots.deleteOne({ _id: ids[9]!._id });
    const [, , , , moved] = ids;
    await snapshots.replaceOne({ _id: moved!._id }, moved!);
    clock.set('2026-03-01T11:01:30.000Z');
    const expected = await rootAt('2026-03-01T11:00:00.000Z');
    expect(expected.wallets).toBe(12);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (walletsPerPart) => {
        await ledger.connection.collection('checkpoints').deleteMany({});
        await take(walletsPerPart);
        expect(await listed()).toMatchObject([expected]);
        expect(await partsLeft()).toBe(0);
      }),
      propertySettings(12),
    );
  });

  test('is signed once where two replicas read the last two parts at once', async () => {
    await earnOfMany(4);
    for (const hour of ['11', '12', '13', '14']) {
      clock.set(`2026-03-01T${hour}:01:30.000Z`);
      await takeCheckpoints(ledger.deps, noRound(), 2);
      await takeCheckpointPart(ledger.deps, await takePart(ledger));
      const [second, third] = [await takePart(ledger), await takePart(other)];
      await Promise.all([
        takeCheckpointPart(ledger.deps, second),
        takeCheckpointPart(other.deps, third),
      ]);
      const expected = await rootAt(`2026-03-01T${hour}:00:00.000Z`);
      expect((await listed())[0]).toMatchObject({
        ...expected,
        at: `2026-03-01T${hour}:00:00.000Z`,
      });
      expect(await partsLeft()).toBe(0);
    }
    expect(await listed()).toHaveLength(4);
  });

  test.each(['before', 'after'] as const)(
    'is finished by another replica where one dies with a part, %s whatever call',
    async (when) => {
      await earnOfMany(3);
      let hours = 0;
      const runWithDeath = async (death: Death): Promise<boolean> => {
        hours += 1;
        const at = new Date(Date.parse('2026-03-01T10:00:00.000Z') + hours * 3_600_000);
        clock.set(new Date(at.getTime() + 90_000).toISOString());
        const dying = mortal(ledger.connection, death);
        const replica = await ledger.replica({ connection: dying.connection });
        dying.arm();
        const doomed = takeCheckpoints(replica.deps, noRound(), 1).then(() => readParts(replica));
        await Promise.race([doomed, dying.died]);
        clock.advanceMs(60_001);
        await take(1);
        const { root } = await rootAt(at.toISOString());
        const signed = await listed();
        expect(signed[0]).toMatchObject({ root, wallets: 3, at: at.toISOString() });
        // Those of the hours before, and no second one of this.
        expect(new Set(signed.map((one) => one.at)).size).toBe(signed.length);
        expect(signed.length).toBe(Math.min(hours, 50));
        expect(await partsLeft()).toBe(0);
        return !dying.isDead();
      };
      await atEveryCall(when, runWithDeath);
    },
  );

  test('is left to a release that knows no parts where that signs the hour alone, and its parts go', async () => {
    await earnOfMany(3);
    clock.set('2026-03-01T11:01:30.000Z');
    await takeCheckpoints(ledger.deps, noRound(), 1);
    await takeCheckpointPart(ledger.deps, await takePart(ledger));
    const at = new Date('2026-03-01T11:00:00.000Z');
    const alone = { _id: newId(), workspace_id, at, ...(await rootAt(at.toISOString())) };
    const by = { signature: 'of the other', key_id: 'k', public_key: 'p' };
    await ledger.deps.checkpoints.insert({ ...alone, ...by });
    await take(1);
    await readParts(other);
    expect(await listed()).toMatchObject([{ id: alone._id, signature: 'of the other' }]);
    expect(await partsLeft()).toBe(0);
  });

  test('of a later hour waits until the one before is signed', async () => {
    await earnOfMany(3);
    clock.set('2026-03-01T11:01:30.000Z');
    await takeCheckpoints(ledger.deps, noRound(), 1);
    clock.set('2026-03-01T12:01:30.000Z');
    await take(1);
    expect(await listed()).toMatchObject([{ at: '2026-03-01T11:00:00.000Z' }]);
    await take(1);
    expect((await listed()).map(({ at }) => at)).toEqual([
      '2026-03-01T12:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
    ]);
  });
});

async function takePart({ deps }: Pick<TestLedger, 'deps'>): Promise<CheckpointPart> {
  const due = deps.checkpointParts.due;
  const clockOfLedger = { now: () => clock.now() };
  return (await takeUp({ due, leaseMs: 60_000, clock: clockOfLedger }))!.row;
}
