import type { Connection } from '@laurel/mongo';
import { atEveryCall, type Death, mortal } from './mortal';

/** A store whose collections do nothing, which is enough to die at. */
const store = {
  collection: () => ({ insertOne: async () => ({}), updateOne: async () => ({}) }),
} as unknown as Connection;

/** What a command does, whose process may be another one than that which was to die. */
async function survives(death: Death, isWired: boolean): Promise<boolean> {
  const { connection, arm, died, isDead } = mortal(store, death);
  arm();
  const rows = (isWired ? connection : store).collection('rows');
  const command = rows.insertOne({}).then(() => rows.updateOne({}, {}));
  await Promise.race([command, died]);
  return !isDead();
}

test.each(['before', 'after'] as const)(
  'a command is killed %s each of its calls, one after the other',
  async (when) => {
    const deaths: number[] = [];
    const calls = await atEveryCall(when, async (death) => {
      const isThrough = await survives(death, true);
      if (!isThrough) deaths.push(death.atCall);
      return isThrough;
    });
    expect([calls, deaths]).toEqual([2, [1, 2]]);
  },
);

test('a replica that was never to die proves nothing', async () => {
  const run = (death: Death) => survives(death, false);
  await expect(atEveryCall('before', run)).rejects.toThrow('no call that it could die at');
});

test('a command that never gets through ends at the bound of its calls', async () => {
  await expect(atEveryCall('before', async () => false, 5)).rejects.toThrow('more than 5 calls');
});

test('what a killed process had begun elsewhere is over before its transactions are undone', async () => {
  const seen: string[] = [];
  const session = {
    commitTransaction: async () => undefined,
    inTransaction: () => true,
    abortTransaction: async () => seen.push('aborted'),
    endSession: async () => undefined,
  };
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const slow = {
    startSession: async () => session,
    collection: () => ({
      insertOne: () => written.then(() => seen.push('written')),
      updateOne: async () => setImmediate(write),
    }),
  } as unknown as Connection;
  const { connection, arm, died } = mortal(slow, { atCall: 2, when: 'after' });
  await connection.startSession();
  arm();
  void connection.collection('rows').insertOne({});
  void connection.collection('rows').updateOne({}, {});
  await died;
  expect(seen).toEqual(['written', 'aborted']);
});
