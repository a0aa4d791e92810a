import type { Document, Filter, Sort } from 'mongodb';
import { failure, openDatabase, range, type TestDatabase } from './testing/harness';

interface Item extends Document {
  _id: number;
}

const COUNT = 30_000;

describe('cursors over many documents', () => {
  let test: TestDatabase;
  const items = (name = 'many') => test.db.collection<Item>(name);
  beforeAll(async () => {
    test = await openDatabase();
    const documents = range(COUNT).map((_id) => ({
      _id,
      ws: _id % 3,
      tags: [_id % 7, _id % 11],
      rank: COUNT - _id,
    }));
    await items().insertMany(documents);
    await items().createIndexes([{ key: { ws: 1, rank: 1 } }, { key: { tags: 1 } }]);
  });
  afterAll(() => test.close());

  it.each<[string, Filter<Item>, Sort, number | undefined]>([
    ['everything', {}, {}, COUNT],
    ['an indexed equality', { ws: 1 }, {}, COUNT / 3],
    ['an index order', { ws: 1 }, { rank: 1 }, COUNT / 3],
    ['an index over arrays', { tags: { $in: [1, 2] } }, {}, undefined],
    ['an order without an index', {}, { 'tags.0': 1, _id: -1 }, COUNT],
    ['a range of _id', { _id: { $gte: 100, $lt: 20_100 } }, { _id: 1 }, 20_000],
  ])(
    'pages of any size give each document of %s once, in order',
    async (_what, filter, sort, count) => {
      const [whole, small, large] = await Promise.all(
        [COUNT, 997, 7001].map((batchSize) =>
          items()
            .find(filter, { batchSize, sort })
            .map(({ _id }) => _id)
            .toArray(),
        ),
      );
      expect(new Set(small).size).toBe(small?.length);
      if (count) expect(small).toHaveLength(count);
      const comparable = (ids: number[] = []) =>
        Object.keys(sort).length > 0 ? ids : ids.toSorted((a, b) => a - b);
      expect(comparable(small)).toEqual(comparable(whole));
      expect(comparable(large)).toEqual(comparable(whole));
    },
  );

  it('documents that stay are neither missed nor repeated while others are deleted', async () => {
    await items('shrinking').insertMany(range(3000).map((_id) => ({ _id })));
    const seen: number[] = [];
    for await (const { _id } of items('shrinking').find({}, { batchSize: 100 })) {
      seen.push(_id);
      if (_id % 100 === 0) await items('shrinking').deleteMany({ _id: { $gt: _id, $mod: [2, 1] } });
    }
    const even = seen.filter((id) => id % 2 === 0);
    expect(even.toSorted((a, b) => a - b)).toEqual(range(1500).map((n) => n * 2));
  });

  it('an aggregation pages too', async () => {
    const groups = await items()
      .aggregate([{ $group: { _id: '$rank', n: { $sum: 1 } } }], { batchSize: 500 })
      .toArray();
    expect(groups).toHaveLength(COUNT);
  });

  it('a killed or unknown cursor is answered with CursorNotFound', async () => {
    const { cursor } = await test.db.command({ find: 'many', batchSize: 5 });
    const killed = await test.db.command({ killCursors: 'many', cursors: [cursor.id] });
    expect(killed.cursorsKilled).toEqual([cursor.id]);
    const again = { getMore: cursor.id, collection: 'many' };
    expect(await failure(test.db.command(again))).toMatchObject({ code: 43 });
    const unknown = await test.db.command({ killCursors: 'many', cursors: [cursor.id] });
    expect(unknown.cursorsNotFound).toEqual([cursor.id]);
  });
});
