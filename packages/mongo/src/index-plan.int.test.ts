import { type TestStore, testStore } from '@laurel/testing';
import { applyIndexes, planIndexes, pruneIndexes } from './index-plan';
import { type CollectionIndexes, ensureIndexes, missingUniqueIndexes } from './indexes';

const declared: CollectionIndexes[] = [
  {
    collection: 'things',
    indexes: [
      { key: { workspace_id: 1, code: 1 }, name: 'code', unique: true },
      {
        key: { due: 1 },
        name: 'due',
        partialFilterExpression: { due: { $exists: true } },
      },
    ],
  },
  // A second place that declares the same collection.
  {
    collection: 'things',
    indexes: [{ key: { at: 1 }, name: 'ttl', expireAfterSeconds: 60 }],
  },
];
const names = (some: readonly { name: string }[]) => some.map(({ name }) => name);

let store: TestStore;
beforeEach(async () => {
  store = await testStore();
});
afterEach(() => store.drop());

test('a plan names what is missing and changes nothing', async () => {
  for (let time = 0; time < 2; time += 1) {
    const plan = await planIndexes(store.connection, declared);
    expect(names(plan.missing)).toEqual(['code', 'due', 'ttl']);
    expect(plan.missing[0]).toEqual({ collection: 'things', name: 'code', unique: true });
  }
});

test('what is applied is whole: a second plan finds nothing to do', async () => {
  await applyIndexes(store.connection, declared);
  expect(await planIndexes(store.connection, declared)).toEqual({
    missing: [],
    changed: [],
    left: [],
    others: [],
  });
});

test('indexes are built while documents are written, and none is lost', async () => {
  const things = store.connection.collection('things');
  await things.insertMany(
    Array.from({ length: 2_000 }, (_, code) => ({ workspace_id: 'w', code })),
  );
  let code = 2_000;
  let building = true;
  const writing = (async () => {
    while (building) {
      code += 1;
      await things.insertOne({ workspace_id: 'w', code });
    }
  })();
  await applyIndexes(store.connection, declared);
  building = false;
  await writing;
  expect(await things.countDocuments()).toBe(code);
  await expect(things.insertOne({ workspace_id: 'w', code: 5 })).rejects.toMatchObject({
    code: 11_000,
  });
});

test('an index that was changed under its old name stops the step before it builds anything', async () => {
  await applyIndexes(store.connection, declared);
  const changed: CollectionIndexes[] = [
    {
      collection: 'things',
      indexes: [
        { key: { code: 1, workspace_id: 1 }, name: 'code', unique: true },
        { key: { more: 1 }, name: 'more' },
      ],
    },
  ];
  expect(names((await planIndexes(store.connection, changed)).changed)).toEqual(['code']);
  await expect(applyIndexes(store.connection, changed)).rejects.toThrow('things.code');
  expect(names((await planIndexes(store.connection, changed)).missing)).toEqual(['more']);
});

test('only what was given up is pruned: what a later release or somebody else has made stays', async () => {
  const things = store.connection.collection('things');
  const earlier: CollectionIndexes[] = [
    { collection: 'things', indexes: [{ key: { old: 1 }, name: 'old', unique: true }] },
  ];
  const later: CollectionIndexes[] = [
    { collection: 'things', indexes: [{ key: { once: 1 }, name: 'once', unique: true }] },
  ];
  await applyIndexes(store.connection, [...declared, ...earlier, ...later]);
  await things.createIndex({ mine: 1 }, { name: 'mine' });
  const now = [...declared, { collection: 'things', indexes: [], retired: ['old', 'older'] }];
  const { left, others } = await pruneIndexes(store.connection, now);
  expect(names(left)).toEqual(['old']);
  expect(names(others).sort()).toEqual(['mine', 'once']);
  expect(await planIndexes(store.connection, now)).toEqual({
    missing: [],
    changed: [],
    left: [],
    others,
  });
  expect(await missingUniqueIndexes(store.connection, later)).toEqual([]);
});

test('an index that an earlier release has under another name is taken for what it is', async () => {
  const renamed = declared[0]!.indexes.map((index) => ({ ...index, name: `${index.name}_before` }));
  await applyIndexes(store.connection, [{ collection: 'things', indexes: renamed }]);
  expect(names((await planIndexes(store.connection, declared)).missing)).toEqual(['ttl']);
  await ensureIndexes(store.connection, declared);
  expect(await missingUniqueIndexes(store.connection, declared)).toEqual([]);
  expect(await planIndexes(store.connection, declared)).toEqual({
    missing: [],
    changed: [],
    left: [],
    others: [],
  });
  expect((await pruneIndexes(store.connection, declared)).left).toEqual([]);
});
