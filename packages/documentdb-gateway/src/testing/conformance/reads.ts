import { type Case, refusalOf } from './case';

const ids = (found: readonly { _id: unknown }[]) => found.map(({ _id }) => _id);

/** Finds, counts and cursors. */
export const reads: readonly Case[] = [
  {
    name: 'null matches what is missing, $exists tells them apart',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, a: null }, { _id: 2 }, { _id: 3, a: 0 }]);
      return [
        ids(await rows.find({ a: null }).sort({ _id: 1 }).toArray()),
        ids(
          await rows
            .find({ a: { $exists: true } })
            .sort({ _id: 1 })
            .toArray(),
        ),
        ids(
          await rows
            .find({ a: { $ne: null } })
            .sort({ _id: 1 })
            .toArray(),
        ),
        ids(
          await rows
            .find({ a: { $type: 'null' } })
            .sort({ _id: 1 })
            .toArray(),
        ),
      ];
    },
    answer: [[1, 2], [1, 3], [3], [1]],
  },
  {
    name: 'ranges compare values of one kind only',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, a: 5 },
        { _id: 2, a: '5' },
        { _id: 3, a: new Date(5) },
        { _id: 4 },
      ]);
      return ids(
        await rows
          .find({ a: { $gte: 1 } })
          .sort({ _id: 1 })
          .toArray(),
      );
    },
    answer: [1],
  },
  {
    name: 'values of different kinds sort null, numbers, text, objects, lists, truth, dates',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 'date', a: new Date(0) },
        { _id: 'truth', a: false },
        { _id: 'object', a: { x: 1 } },
        { _id: 'text', a: 'x' },
        { _id: 'number', a: 7 },
        { _id: 'null', a: null },
      ]);
      return ids(await rows.find().sort({ a: 1 }).toArray());
    },
    answer: ['null', 'number', 'text', 'object', 'truth', 'date'],
  },
  {
    name: 'text sorts by its bytes: capitals first, umlauts last',
    async ask({ rows }) {
      await rows.insertMany(['b', 'B', 'ä', 'a', 'Z'].map((_id) => ({ _id })));
      return ids(await rows.find().sort({ _id: 1 }).toArray());
    },
    answer: ['B', 'Z', 'a', 'b', 'ä'],
  },
  {
    name: 'a filter on lists matches an element, $all several, $size their number, $elemMatch one with all of it',
    async ask({ rows }) {
      await rows.insertMany([
        {
          _id: 1,
          l: ['a', 'b'],
          o: [
            { k: 1, n: 1 },
            { k: 2, n: 9 },
          ],
        },
        { _id: 2, l: ['b'], o: [{ k: 1, n: 9 }] },
      ]);
      return [
        ids(await rows.find({ l: 'b' }).sort({ _id: 1 }).toArray()),
        ids(await rows.find({ l: { $all: ['a', 'b'] } }).toArray()),
        ids(await rows.find({ l: { $size: 1 } }).toArray()),
        ids(await rows.find({ o: { $elemMatch: { k: 1, n: 9 } } }).toArray()),
        ids(await rows.find({ 'o.k': 1, 'o.n': 9 }).sort({ _id: 1 }).toArray()),
      ];
    },
    answer: [[1, 2], [1], [2], [2], [1, 2]],
  },
  {
    name: '$nin and $not take in what is missing',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, a: 'x' }, { _id: 2, a: 'y' }, { _id: 3 }]);
      return [
        ids(
          await rows
            .find({ a: { $nin: ['x'] } })
            .sort({ _id: 1 })
            .toArray(),
        ),
        ids(
          await rows
            .find({ a: { $not: { $eq: 'y' } } })
            .sort({ _id: 1 })
            .toArray(),
        ),
      ];
    },
    answer: [
      [2, 3],
      [1, 3],
    ],
  },
  {
    name: 'a regular expression that begins at the start looks at letters as they are, with i at either case',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, a: 'Anna' },
        { _id: 2, a: 'anna' },
        { _id: 3, a: 'Hanna' },
      ]);
      return [
        ids(await rows.find({ a: /^An/ }).toArray()),
        ids(await rows.find({ a: /^an/i }).sort({ _id: 1 }).toArray()),
      ];
    },
    answer: [[1], [1, 2]],
  },
  {
    name: 'a projection shows what it names, and _id; or all but what it leaves out',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: { b: 1, c: 2 }, d: 3 });
      return [
        await rows.findOne({}, { projection: { 'a.b': 1 } }),
        await rows.findOne({}, { projection: { 'a.b': 0, d: 0 } }),
        await rows.findOne({}, { projection: { _id: 0, d: 1 } }),
      ];
    },
    answer: [{ _id: 1, a: { b: 1 } }, { _id: 1, a: { c: 2 } }, { d: 3 }],
  },
  {
    name: 'an unknown operator in a filter is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.findOne({ a: { $near2: 1 } }));
    },
    answer: { code: 2 },
  },
  {
    name: 'a cursor gives everything once, over many batches, and ends',
    async ask({ rows }) {
      await rows.insertMany(Array.from({ length: 950 }, (_, _id) => ({ _id })));
      const seen = await rows.find().sort({ _id: 1 }).batchSize(100).toArray();
      return [seen.length, new Set(ids(seen)).size, seen.at(-1)?._id];
    },
    answer: [950, 950, 949],
  },
  {
    name: 'a cursor that was killed is not found',
    async ask({ rows, client }) {
      await rows.insertMany(Array.from({ length: 10 }, (_, _id) => ({ _id })));
      const db = client.db(rows.dbName);
      const { cursor } = await db.command({ find: rows.collectionName, batchSize: 2 });
      await db.command({ killCursors: rows.collectionName, cursors: [cursor.id] });
      return refusalOf(() => db.command({ getMore: cursor.id, collection: rows.collectionName }));
    },
    answer: { code: 43 },
  },
  {
    name: 'of a collection that does not exist all is empty, and dropping it is no fault',
    async ask({ rows }) {
      return [
        await rows.find().toArray(),
        await rows.countDocuments(),
        await rows.distinct('a'),
        (await rows.updateOne({ _id: 1 }, { $set: { a: 1 } })).matchedCount,
        (await rows.deleteMany({})).deletedCount,
        await rows.drop(),
      ];
    },
    answer: [[], 0, [], 0, 0, true],
  },
  {
    name: 'distinct gives each value once, of lists each element',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, a: ['x', 'y'] }, { _id: 2, a: 'x' }, { _id: 3 }]);
      return (await rows.distinct('a')).sort();
    },
    answer: ['x', 'y'],
  },
  {
    name: '$mod finds whole numbers by what is left of them',
    async ask({ rows }) {
      await rows.insertMany([1, 2, 3, 4].map((_id) => ({ _id })));
      return ids(
        await rows
          .find({ _id: { $mod: [2, 0] } } as never)
          .sort({ _id: 1 })
          .toArray(),
      );
    },
    answer: [2, 4],
  },
  {
    name: 'a hint on an index that is not there is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.find({}, { hint: 'nowhere' }).toArray());
    },
    answer: { code: 2 },
  },
];
