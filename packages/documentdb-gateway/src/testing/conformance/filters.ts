import type { Filter } from 'mongodb';
import type { Case, Ground, Row } from './case';

const AT = (n: number) => new Date(Date.UTC(2026, 0, n));

async function found({ rows }: Ground, filters: readonly Filter<Row>[]): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const filter of filters) {
    const matching = await rows.find(filter).sort({ _id: 1 }).toArray();
    all.push(matching.map(({ _id }) => _id));
  }
  return all;
}

/** Which rows a filter finds, and in what order a find gives them. */
export const filters: readonly Case[] = [
  {
    name: '$or, $and and $nor may stand within one another',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, a: 1, b: 1 },
        { _id: 2, a: 1, b: 2 },
        { _id: 3, a: 2 },
      ]);
      return found(ground, [
        { $or: [{ a: 2 }, { $and: [{ a: 1 }, { b: 2 }] }] },
        { $nor: [{ a: 2 }, { b: 1 }] },
        { a: 1, $or: [{ b: { $exists: false } }, { b: { $gt: 1 } }] },
      ]);
    },
    answer: [[2, 3], [2], [2]],
  },
  {
    name: 'a date is before another, but null, what is missing and what is no date are neither',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, at: AT(1) },
        { _id: 2, at: AT(9) },
        { _id: 3, at: null },
        { _id: 4 },
        { _id: 5, at: '2026-01-01' },
      ]);
      return found(ground, [
        { at: { $lte: AT(5) } },
        { at: { $exists: true, $lte: AT(5) } },
        { at: { $not: { $gt: AT(5) } } },
        { at: { $lt: null } },
      ] as Filter<Row>[]);
    },
    answer: [[1], [1], [1, 3, 4, 5], []],
  },
  {
    name: '$type tells texts from what is missing or null',
    async ask(ground) {
      await ground.rows.insertMany([{ _id: 1, lease: 'x' }, { _id: 2, lease: null }, { _id: 3 }]);
      return found(ground, [
        { lease: { $type: 'string' } },
        { lease: { $not: { $type: 'string' } } },
      ]);
    },
    answer: [[1], [2, 3]],
  },
  {
    name: '$in takes null for what is missing, and texts of all lengths',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, a: 'x' },
        { _id: 2, a: null },
        { _id: 3 },
        { _id: 4, a: '' },
      ]);
      return found(ground, [{ a: { $in: ['x', null] } }, { a: { $in: [] } }, { a: '' }]);
    },
    answer: [[1, 2, 3], [], [4]],
  },
  {
    name: 'a regular expression finds text within, with umlauts of either case where that was asked for',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, a: 'Jürgen MÜLLER' },
        { _id: 2, a: 'juergen' },
        { _id: 3, a: 'a+b (c)' },
      ]);
      return found(ground, [
        { a: { $regex: 'müll', $options: 'i' } },
        { a: { $regex: 'müll' } },
        { a: { $regex: '^JÜ', $options: 'i' } },
        { a: { $regex: 'a\\+b \\(c\\)', $options: 'i' } },
      ]);
    },
    answer: [[1], [], [1], [3]],
  },
  {
    name: 'a broken regular expression is refused',
    ask: ({ rows }) =>
      rows
        .insertOne({ _id: 1, a: 'x' })
        .then(() => rows.findOne({ a: { $regex: '(' } }))
        .catch(({ code }) => code),
    answer: 51091,
  },
  {
    name: 'a list is found by what none of its elements is',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, refunds: [{ done: true }, { done: false }] },
        { _id: 2, refunds: [{ done: true }] },
        { _id: 3, refunds: [] },
      ]);
      return found(ground, [
        { refunds: { $not: { $elemMatch: { done: false } } } },
        { 'refunds.done': { $ne: false } },
        { 'refunds.0': { $exists: true } },
        { refunds: { $size: 0 } },
      ]);
    },
    answer: [[2, 3], [2, 3], [1, 2], [3]],
  },
  {
    name: 'an object is found by all of it in its order, a column of it by its path',
    async ask(ground) {
      await ground.rows.insertMany([
        { _id: 1, o: { a: 1, b: 2 } },
        { _id: 2, o: { b: 2, a: 1 } },
      ]);
      return found(ground, [{ o: { a: 1, b: 2 } }, { 'o.a': 1 }]);
    },
    answer: [[1], [1, 2]],
  },
  {
    name: 'a page is cut out of an order by two columns, along an index or not',
    async ask({ rows }) {
      await rows.createIndex({ w: 1, at: -1, _id: -1 }, { name: 'newest' });
      await rows.insertMany(
        Array.from({ length: 9 }, (_, _id) => ({ _id, w: 'x', at: Math.floor(_id / 3) })),
      );
      const page = async (hint?: string) => {
        const options = hint ? { hint } : {};
        const cursor = rows.find({ w: 'x' }, options).sort({ at: -1, _id: -1 });
        return (await cursor.skip(2).limit(3).toArray()).map(({ _id }) => _id);
      };
      return [await page('newest'), await page(), await page('_id_')];
    },
    answer: [
      [6, 5, 4],
      [6, 5, 4],
      [6, 5, 4],
    ],
  },
  {
    name: 'rows of one value of a partial index are found with its hint, and others are not looked for there',
    async ask({ rows }) {
      await rows.createIndex(
        { open: 1, _id: 1 },
        { name: 'open', partialFilterExpression: { open: true } },
      );
      await rows.insertMany([{ _id: 2, open: true }, { _id: 1, open: true }, { _id: 3 }]);
      const open = await rows.find({ open: true }, { hint: 'open' }).sort({ _id: 1 }).toArray();
      return open.map(({ _id }) => _id);
    },
    answer: [1, 2],
  },
  {
    name: 'a count and a distinct go by a filter, and a count ends at its limit',
    async ask({ rows }) {
      await rows.insertMany([1, 2, 3, 4].map((_id) => ({ _id, a: _id % 2, n: _id })));
      return [
        await rows.countDocuments({ a: 1 }),
        await rows.countDocuments({}, { limit: 3 }),
        await rows.estimatedDocumentCount(),
        (await rows.distinct('n', { a: 1 })).sort(),
      ];
    },
    answer: [2, 3, 4, [1, 3]],
  },
  {
    name: 'a projection cuts a list by $slice and leaves the other columns',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: 1, l: [1, 2, 3] });
      return rows.findOne({}, { projection: { l: { $slice: 2 } } });
    },
    answer: { _id: 1, a: 1, l: [1, 2] },
  },
  {
    name: 'a find behind a row by its key goes on where the page before ended',
    async ask(ground) {
      await ground.rows.insertMany(['a', 'b', 'B', 'c'].map((_id) => ({ _id })));
      return found(ground, [{ _id: { $gt: 'a' } }, { _id: { $gt: 'B', $lt: 'c' } }]);
    },
    answer: [
      ['b', 'c'],
      ['a', 'b'],
    ],
  },
];
