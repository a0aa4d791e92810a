import { type TestStore, testStore, until } from '@laurel/testing';
import { createLease, withLease } from './lease';

/** A renewal of it may be late by six seconds: a store that takes a breath is not taken for a dead holder. */
const LEASE_MS = 9_000;

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.drop());

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
  const since = Date.now();
  const others: unknown[] = [];
  await until(async () => {
    others.push(await take('b', async () => 'done'));
    return Date.now() - since > LEASE_MS * 1.2;
  });
  expect(others.every((outcome) => outcome === null)).toBe(true);
  end();
  expect(await first).toBe('done');
  expect(await take('b', async () => 'done')).toBe('done');
});

test('a lease whose holder died is taken over once it has run out', async () => {
  await store.connection
    .collection<{ _id: string; holder: string; until: Date }>('leases')
    .updateOne(
      { _id: 'work' },
      { $set: { holder: 'dead', until: new Date(Date.now() + LEASE_MS) } },
      { upsert: true },
    );
  expect(await take('b', async () => 'done')).toBeNull();
  expect(await until(() => take('b', async () => 'done'))).toBe('done');
});

test('work that fails gives its lease back', async () => {
  const failing = take('a', () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await take('b', async () => 'done')).toBe('done');
});
