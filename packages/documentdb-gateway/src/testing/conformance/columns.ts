import type { Case } from './case';

const AT = (n: number) => new Date(Date.UTC(2026, 0, n));

/** How updates change columns, and what guards them. */
export const columns: readonly Case[] = [
  {
    name: '$rename moves a column, over one that is there, and passes over rows without it',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, old: 'x', now: 'y' },
        { _id: 2, now: 'z' },
      ]);
      const { matchedCount, modifiedCount } = await rows.updateMany(
        {},
        { $rename: { old: 'now' } },
      );
      return [matchedCount, modifiedCount, await rows.find().sort({ _id: 1 }).toArray()];
    },
    answer: [
      2,
      1,
      [
        { _id: 1, now: 'x' },
        { _id: 2, now: 'z' },
      ],
    ],
  },
  {
    name: '$min and $max set a column that is missing, and compare dates',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1 }, { _id: 2, at: AT(5) }]);
      await rows.updateMany({}, { $min: { at: AT(3) } });
      await rows.updateMany({}, { $max: { seen: AT(4) } });
      return rows.find().sort({ _id: 1 }).toArray();
    },
    answer: [1, 2].map((_id) => ({
      _id,
      at: '2026-01-03T00:00:00.000Z',
      seen: '2026-01-04T00:00:00.000Z',
    })),
  },
  {
    name: '$min and $max put null before numbers',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, low: null, high: null });
      await rows.updateOne({ _id: 1 }, { $min: { low: 1 }, $max: { high: 1 } });
      return rows.findOne({});
    },
    answer: { _id: 1, low: null, high: 1 },
  },
  {
    name: '$inc and $set make the objects on their way, $unset of what is missing changes nothing',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      await rows.updateOne({ _id: 1 }, { $inc: { 'a.b.n': 2 }, $set: { 'c.d': 1 } });
      const { modifiedCount } = await rows.updateOne({ _id: 1 }, { $unset: { 'c.x': '', y: '' } });
      return [await rows.findOne({}), modifiedCount];
    },
    answer: [{ _id: 1, a: { b: { n: 2 } }, c: { d: 1 } }, 0],
  },
  {
    name: '$set through what is no object is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: 'text' });
      return rows.updateOne({ _id: 1 }, { $set: { 'a.b': 1 } }).catch(({ code }) => code);
    },
    answer: 28,
  },
  {
    name: 'of one column and one below it only one may be changed at once',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: { b: 1 } });
      return rows.updateOne({ _id: 1 }, { $set: { a: {}, 'a.b': 2 } }).catch(({ code }) => code);
    },
    answer: 40,
  },
  {
    name: '$push and $addToSet make a list, and are refused for what is none',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, t: 'text' });
      await rows.updateOne({ _id: 1 }, { $push: { l: 'a' }, $addToSet: { s: 'b' } } as never);
      const push = await rows.updateOne({ _id: 1 }, { $push: { t: 1 } } as never).catch(codeOf);
      const add = await rows.updateOne({ _id: 1 }, { $addToSet: { t: 1 } } as never).catch(codeOf);
      return [await rows.findOne({}), push, add];
    },
    answer: [{ _id: 1, t: 'text', l: ['a'], s: ['b'] }, 2, 2],
  },
  {
    name: '$push with a $slice from the front keeps the first so many',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, l: [1, 2] });
      await rows.updateOne({ _id: 1 }, { $push: { l: { $each: [3, 4], $slice: 3 } } } as never);
      return rows.findOne({});
    },
    answer: { _id: 1, l: [1, 2, 3] },
  },
  {
    name: '$pull of a value and of elements by a column takes out all of them',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, l: ['a', 'b', 'a'], o: [{ k: 1, n: 1 }, { k: 2 }, { k: 1 }] });
      await rows.updateOne({ _id: 1 }, { $pull: { l: 'a', o: { k: 1 } } } as never);
      return rows.findOne({});
    },
    answer: { _id: 1, l: ['b'], o: [{ k: 2 }] },
  },
  {
    name: 'the positional operator takes the element that $elemMatch found, also by the length of a list in it',
    async ask({ rows }) {
      await rows.insertOne({
        _id: 1,
        refunds: [
          { id: 'a', steps: [1] },
          { id: 'b', steps: [1, 2] },
        ],
      });
      const finish = async (size: number) => {
        const found = { $elemMatch: { id: 'b', steps: { $size: size } } };
        const done = { $set: { 'refunds.$.done': true }, $push: { 'refunds.$.steps': 3 } };
        return (await rows.updateOne({ _id: 1, refunds: found }, done as never)).modifiedCount;
      };
      return [await finish(1), await finish(2), await rows.findOne({})];
    },
    answer: [
      0,
      1,
      {
        _id: 1,
        refunds: [
          { id: 'a', steps: [1] },
          { id: 'b', steps: [1, 2, 3], done: true },
        ],
      },
    ],
  },
  {
    name: 'a replacement keeps _id and nothing else, and one whose guard fails leaves the row',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, revision: 1, a: 1 });
      const first = await rows.replaceOne({ _id: 1, revision: 1 }, { revision: 2, b: 1 });
      const second = await rows.replaceOne({ _id: 1, revision: 1 }, { revision: 9 });
      return [first.matchedCount, second.matchedCount, await rows.findOne({})];
    },
    answer: [1, 0, { _id: 1, revision: 2, b: 1 }],
  },
  {
    name: 'a replacement that finds nothing is inserted where that was asked for',
    async ask({ rows }) {
      const { upsertedId, upsertedCount } = await rows.replaceOne(
        { _id: 'new' },
        { a: 1 },
        { upsert: true },
      );
      return [upsertedId, upsertedCount, await rows.findOne({})];
    },
    answer: ['new', 1, { _id: 'new', a: 1 }],
  },
  {
    name: 'an update of many counts those that match and those that change',
    async ask({ rows }) {
      await rows.insertMany([{ _id: 1, a: 1 }, { _id: 2, a: 2 }, { _id: 3 }]);
      const { matchedCount, modifiedCount } = await rows.updateMany(
        { _id: { $in: [1, 2, 9] } },
        { $set: { a: 1 } },
      );
      return [matchedCount, modifiedCount];
    },
    answer: [2, 1],
  },
  {
    name: 'of many guarded updates at once each counts, and none goes over the limit',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, used: 0 });
      const use = () => rows.updateOne({ _id: 1, used: { $lt: 5 } }, { $inc: { used: 1 } });
      const outcomes = await Promise.all(Array.from({ length: 20 }, use));
      const done = outcomes.filter(({ modifiedCount }) => modifiedCount === 1).length;
      return [done, await rows.findOne({})];
    },
    answer: [5, { _id: 1, used: 5 }],
  },
];

const codeOf = ({ code }: { code: number }) => code;
