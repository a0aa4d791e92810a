import { type TestStore, testStore } from '@laurel/testing';
import { collection } from './collection';
import { numberedPage } from './numbered-page';

const things = collection<{ _id: string; workspace_id: string; place: number; kind: string }>(
  'things',
  {
    tenant: 'workspace_id',
    person: 'nobody',
    clone: 'left: a test',
    growth: { per: 'thing', end: 'stays: a test', shardKey: 'whole' },
    indexes: [],
  },
);

let store: TestStore;
beforeAll(async () => {
  store = await testStore([things]);
  const rows = ['w1', 'w2'].flatMap((workspace_id) =>
    [1, 2, 3, 4, 5].map((place) => ({
      _id: `${workspace_id}-${place}`,
      workspace_id,
      place,
      kind: place === 3 ? 'other' : 'own',
    })),
  );
  await things.open(store.connection).insertMany(rows);
});
afterAll(() => store.drop());

test('a page has its rows in order, and says how many match in its workspace alone', async () => {
  const own = things.open(store.connection).of('w1');
  const listing = { filter: { kind: 'own' }, sort: { place: -1 as const } };

  const page = await numberedPage(own, listing, { limit: 2, offset: 1 });

  expect(page.documents.map(({ _id }) => _id)).toEqual(['w1-4', 'w1-2']);
  expect(page.total).toBe(4);
  expect((await numberedPage(own, listing, { limit: 2, offset: 9 })).documents).toEqual([]);
  expect((await numberedPage(own, listing, { limit: 9 })).documents).toHaveLength(4);
});
