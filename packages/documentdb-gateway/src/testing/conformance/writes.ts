import { type Case, refusalOf } from './case';

/** Inserts, updates, deletes and their refusals. */
export const writes: readonly Case[] = [
  {
    name: 'an insert of a key that is there is refused with 11000, key pattern and value',
    async ask({ rows }) {
      await rows.insertOne({ _id: 'a' });
      return refusalOf(() => rows.insertOne({ _id: 'a' }));
    },
    answer: { code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'a' } },
  },
  {
    name: 'the refusal of a unique index names it, its columns and their values',
    async ask({ rows }) {
      await rows.createIndex({ w: 1, e: 1 }, { unique: true, name: 'email_unique' });
      await rows.insertOne({ _id: 1, w: 'x', e: 'y' });
      return refusalOf(() => rows.insertOne({ _id: 2, w: 'x', e: 'y' }));
    },
    answer: { code: 11000, keyPattern: { w: 1, e: 1 }, keyValue: { w: 'x', e: 'y' } },
  },
  {
    name: 'the words of a refused duplicate begin with E11000 and name the index',
    async ask({ rows }) {
      await rows.createIndex({ e: 1 }, { unique: true, name: 'email_unique' });
      await rows.insertOne({ _id: 1, e: 'y' });
      try {
        await rows.insertOne({ _id: 2, e: 'y' });
        return 'done';
      } catch (error) {
        const { message } = error as Error;
        return [/^E11000 duplicate key error/.test(message), message.includes('email_unique')];
      }
    },
    answer: [true, true],
  },
  {
    name: 'an unordered insert writes what it can and tells the places of what it could not',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      const all = [{ _id: 0 }, { _id: 1 }, { _id: 2 }, { _id: 1 }];
      try {
        await rows.insertMany(all, { ordered: false });
        return 'done';
      } catch (error) {
        const { writeErrors } = error as unknown as {
          writeErrors: { index: number; code: number }[];
        };
        const faults = writeErrors.map(({ index, code }) => [index, code]);
        return { faults, left: await rows.countDocuments() };
      }
    },
    answer: {
      faults: [
        [1, 11000],
        [3, 11000],
      ],
      left: 3,
    },
  },
  {
    name: 'an ordered insert ends at its first fault',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      const refusal = await refusalOf(() => rows.insertMany([{ _id: 0 }, { _id: 1 }, { _id: 2 }]));
      return [(refusal as { code: number }).code, await rows.countDocuments()];
    },
    answer: [11000, 2],
  },
  {
    name: 'of many upserts of one key at once one inserts and all others update',
    async ask({ rows }) {
      const upserts = Array.from({ length: 40 }, () =>
        rows.updateOne({ _id: 'k' }, { $inc: { n: 1 } }, { upsert: true }),
      );
      const outcomes = await Promise.all(upserts);
      const inserted = outcomes.filter(({ upsertedCount }) => upsertedCount === 1).length;
      return [inserted, await rows.findOne({ _id: 'k' })];
    },
    answer: [1, { _id: 'k', n: 40 }],
  },
  {
    name: 'an upsert whose filter misses a row that its key meets is refused as a duplicate',
    async ask({ rows }) {
      await rows.insertOne({ _id: 'lease', until: 9 });
      return refusalOf(() =>
        rows.findOneAndUpdate(
          { _id: 'lease', until: { $lte: 5 } },
          { $set: { until: 20 } },
          { upsert: true },
        ),
      );
    },
    answer: { code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'lease' } },
  },
  {
    name: 'an upsert takes the equalities of its filter, and $setOnInsert only when it inserts',
    async ask({ rows }) {
      const upsert = () =>
        rows.updateOne(
          { _id: 1, w: 'x' },
          { $setOnInsert: { made: true }, $inc: { n: 1 } },
          { upsert: true },
        );
      const [first, second] = [await upsert(), await upsert()];
      return [first.upsertedId, second.matchedCount, await rows.findOne({})];
    },
    answer: [1, 1, { _id: 1, w: 'x', n: 2, made: true }],
  },
  {
    name: 'an update that changes nothing matches and modifies nothing',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: 1 });
      const { matchedCount, modifiedCount } = await rows.updateOne({ _id: 1 }, { $set: { a: 1 } });
      return [matchedCount, modifiedCount];
    },
    answer: [1, 0],
  },
  {
    name: '$set and $unset of one column in one update are refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: 1 });
      return refusalOf(() => rows.updateOne({ _id: 1 }, { $set: { a: 2 }, $unset: { a: '' } }));
    },
    answer: { code: 40 },
  },
  {
    name: '$inc of text is refused and leaves the row',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, a: 'x' });
      return [
        await refusalOf(() => rows.updateOne({ _id: 1 }, { $inc: { a: 1 } })),
        await rows.findOne({}),
      ];
    },
    answer: [{ code: 14 }, { _id: 1, a: 'x' }],
  },
  {
    name: 'an update of _id is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.updateOne({ _id: 1 }, { $set: { _id: 2 } }));
    },
    answer: { code: 66 },
  },
  {
    name: '$max and $min move only their way',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, high: 5, low: 5 });
      await rows.updateOne({ _id: 1 }, { $max: { high: 3 }, $min: { low: 7 } });
      await rows.updateOne({ _id: 1 }, { $max: { high: 8 }, $min: { low: 2 } });
      return rows.findOne({});
    },
    answer: { _id: 1, high: 8, low: 2 },
  },
  {
    name: '$push with $each, $sort and $slice keeps the last so many',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, l: [{ n: 5 }, { n: 1 }] });
      await rows.updateOne({ _id: 1 }, {
        $push: { l: { $each: [{ n: 9 }, { n: 3 }], $sort: { n: 1 }, $slice: -3 } },
      } as never);
      return rows.findOne({});
    },
    answer: { _id: 1, l: [{ n: 3 }, { n: 5 }, { n: 9 }] },
  },
  {
    name: '$addToSet adds what is new, $pull and $pullAll take out what matches',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, l: [1, 2, 2, 3, 4] });
      await rows.updateOne({ _id: 1 }, { $addToSet: { l: { $each: [4, 5] } } } as never);
      await rows.updateOne({ _id: 1 }, { $pull: { l: { $gte: 5 } } } as never);
      await rows.updateOne({ _id: 1 }, { $pullAll: { l: [2] } } as never);
      return rows.findOne({});
    },
    answer: { _id: 1, l: [1, 3, 4] },
  },
  {
    name: 'the positional operator changes the element that the filter found, arrayFilters all that they name',
    async ask({ rows }) {
      await rows.insertOne({
        _id: 1,
        l: [
          { k: 'a', n: 0 },
          { k: 'b', n: 0 },
          { k: 'b', n: 1 },
        ],
      });
      await rows.updateOne({ _id: 1, 'l.k': 'b' }, { $set: { 'l.$.n': 7 } });
      await rows.updateOne(
        { _id: 1 },
        { $inc: { 'l.$[each].n': 1 } },
        { arrayFilters: [{ 'each.k': 'b' }] },
      );
      return rows.findOne({});
    },
    answer: {
      _id: 1,
      l: [
        { k: 'a', n: 0 },
        { k: 'b', n: 8 },
        { k: 'b', n: 2 },
      ],
    },
  },
  {
    name: 'findOneAndUpdate gives the row before, or after where asked, and null where none matches',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, n: 1 });
      const update = { $inc: { n: 1 } };
      return [
        await rows.findOneAndUpdate({ _id: 1 }, update),
        await rows.findOneAndUpdate({ _id: 1 }, update, { returnDocument: 'after' }),
        await rows.findOneAndUpdate({ _id: 2 }, update),
      ];
    },
    answer: [{ _id: 1, n: 1 }, { _id: 1, n: 3 }, null],
  },
  {
    name: 'findOneAndUpdate with a sort takes the first by it',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, at: 3 },
        { _id: 2, at: 1 },
        { _id: 3, at: 2 },
      ]);
      const taken = await rows.findOneAndUpdate({}, { $set: { taken: true } }, { sort: { at: 1 } });
      return taken?._id;
    },
    answer: 2,
  },
  {
    name: 'findOneAndDelete of one row by many at once gives it to one',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      const taken = await Promise.all(
        Array.from({ length: 8 }, () => rows.findOneAndDelete({ _id: 1 })),
      );
      return taken.filter((row) => row !== null).length;
    },
    answer: 1,
  },
  {
    name: 'a bulk write counts by kind, and goes on behind a fault when it is unordered',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, n: 0 });
      const outcome = await rows.bulkWrite(
        [
          { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
          { updateOne: { filter: { _id: 2 }, update: { $set: { n: 2 } }, upsert: true } },
          { deleteOne: { filter: { _id: 3 } } },
          { insertOne: { document: { _id: 4 } } },
        ],
        { ordered: false },
      );
      const { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount } = outcome;
      return [insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount];
    },
    answer: [1, 1, 1, 0, 1],
  },
  {
    name: 'columns whose names hold dots and dollars within are kept as they are',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, fields: { 'a.b': 1, c$d: 2 } });
      return rows.findOne({});
    },
    answer: { _id: 1, fields: { 'a.b': 1, c$d: 2 } },
  },
  {
    name: 'whole numbers beyond 32 bits stay exact through $inc',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, n: 1_000_000_000_000_000 });
      await rows.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      return rows.findOne({});
    },
    answer: { _id: 1, n: 1_000_000_000_000_001 },
  },
];
