import { once } from 'node:events';
import { testStore } from './store';

const KINDS = ['things', 'others'].map((collection) => ({
  collection,
  indexes: [{ key: { name: 1 }, name: 'name_unique', unique: true } as const],
}));

const namesOf = (found: { name: string }[]) => found.map(({ name }) => name).sort();

test('a later test gets the database of an earlier one as if it were new', async () => {
  const earlier = await testStore(KINDS);
  const { connection } = earlier;
  await connection.collection('things').insertOne({ name: 'Ada' });
  await connection.collection('undeclared').bulkWrite([{ insertOne: { document: {} } }]);
  const replica = await earlier.connectAgain();
  await replica.collection('of a replica').findOneAndUpdate({}, { $set: {} }, { upsert: true });
  await earlier.drop();

  const later = await testStore(KINDS);
  expect(later.connection.name).toBe(connection.name);
  const there = namesOf(await later.connection.db!.listCollections().toArray());
  expect(there).toEqual(['of a replica', 'others', 'things', 'undeclared']);
  for (const collection of there)
    expect(await later.connection.collection(collection).countDocuments()).toBe(0);
  for (const { collection } of KINDS) {
    const rows = later.connection.collection(collection);
    expect(namesOf((await rows.listIndexes().toArray()) as { name: string }[])).toEqual([
      '_id_',
      'name_unique',
    ]);
  }
  await later.drop();
});

test('two tests at once have a database each', async () => {
  const both = await Promise.all([testStore(KINDS), testStore(KINDS)]);
  expect(both[0].connection.name).not.toBe(both[1].connection.name);
  await Promise.all(both.map((store) => store.drop()));
});

type Store = Awaited<ReturnType<typeof testStore>>;
const HAZARDS: Record<string, (store: Store) => unknown> = {
  'that others were told of': (store) => store.database,
  'where a write is under way': async ({ connection }) => {
    const begun = once(connection.getClient(), 'commandStarted');
    const rows = connection.collection('things');
    rows.insertOne({ name: 'late' }).catch(() => undefined);
    await begun;
  },
  'where a transaction is open': async ({ connection }) => {
    const session = await connection.startSession();
    session.startTransaction();
    await connection.collection('things').insertOne({ name: 'undecided' }, { session });
  },
  'whose indexes were changed': ({ connection }) =>
    connection.collection('others').dropIndex('name_unique'),
  'in which an aggregation wrote': ({ connection }) =>
    connection
      .collection('things')
      .aggregate([{ $match: {} }, { $out: 'elsewhere' }])
      .toArray()
      .catch(() => undefined),
};

test.each(Object.keys(HAZARDS))('a database %s goes to no later test', async (what) => {
  const store = await testStore(KINDS);
  await HAZARDS[what]!(store);
  await store.drop();
  const next = await testStore(KINDS);
  expect(next.connection.name).not.toBe(store.connection.name);
  await next.drop();
});
