import { type TestStore, testStore, until } from '@laurel/testing';
import { createLease, withLease } from './lease';

/** Long enough that a machine which stands still for some seconds is not taken for a dead holder. */
const LEASE_MS = 9_000;

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.drop());

const leases = () =>
  store.connection.collection<{ _id: string; holder: string; until: Date }>('leases');

const take = async <T>(holder: string, work: () => Promise<T>): Promise<T | null> => {
  const lease = createLease(store.connection, 'work', holder);
  return (await withLease(lease, work, LEASE_MS))?.done ?? null;
};

/** Work that goes on until it is asked to end. */
function endless() {
  let begin: () => void = () => {};
  let end: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    begin();
    return ended.then(() => 'done');
  };
  return { begun, end, work };
}

test.each([
  ['is another’s at once', 90_000, true],
  ['is believed where that is no more than clocks are apart', 20_000, false],
])('a lease of a dead holder whose clock was ahead %s', async (_, aheadMs, isFree) => {
  const name = `ahead by ${aheadMs}`;
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
  await createLease(store.connection, name, 'dead').take(LEASE_MS);
  jest.restoreAllMocks();
  expect(await createLease(store.connection, name, 'heir').take(LEASE_MS)).toBe(isFree);
});

test('a holder keeps its lease for as long as it works, however short the lease', async () => {
  const { begun, end, work } = endless();
  const first = take('a', work);
  await begun;
  const ends = new Set<number>();
  await until(async () => {
    expect(await take('b', async () => 'done')).toBeNull();
    ends.add((await leases().findOne({ _id: 'work' }))!.until.getTime());
    return ends.size > 3;
  });
  end();
  expect(await first).toBe('done');
  expect(await take('b', async () => 'done')).toBe('done');
});

test('a lease whose holder died is taken over once it has run out', async () => {
  const died = (until: Date) =>
    leases().updateOne({ _id: 'work' }, { $set: { holder: 'dead', until } }, { upsert: true });
  await died(new Date(Date.now() + 2 * LEASE_MS));
  expect(await take('b', async () => 'done')).toBeNull();
  await died(new Date());
  expect(await take('b', async () => 'done')).toBe('done');
});

test('work that fails gives its lease back', async () => {
  const failing = take('a', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await take('b', async () => 'done')).toBe('done');
});
