import { type Case, inTransaction, refusalOf } from './case';

/** What may be done in a transaction and what may not, and what others see of it. */
export const within: readonly Case[] = [
  {
    name: 'a collection cannot be dropped in a transaction, which goes on',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 1 });
      const refusal = await inTransaction(client, async (session) => {
        await rows.insertOne({ _id: 2 }, { session });
        const db = client.db(rows.dbName);
        const refused = await refusalOf(() =>
          db.command({ drop: rows.collectionName }, { session }),
        );
        await session.commitTransaction();
        return refused;
      });
      return [refusal, await rows.countDocuments()];
    },
    answer: [{ code: 263 }, 2],
  },
  {
    name: 'databases, indexes and lists of them are no matter for a transaction',
    async ask({ rows, client }) {
      await rows.createIndex({ a: 1 }, { name: 'a', expireAfterSeconds: 60 });
      const name = rows.collectionName;
      const commands = [
        { dropDatabase: 1 },
        { dropIndexes: name, index: 'a' },
        { collMod: name, index: { name: 'a', expireAfterSeconds: 1 } },
        { listIndexes: name },
        { listCollections: 1 },
        { count: name },
      ];
      const refusals: unknown[] = [];
      for (const command of commands) {
        const db = client.db(rows.dbName);
        refusals.push(
          await inTransaction(client, (session) =>
            refusalOf(() => db.command(command, { session })),
          ),
        );
      }
      return [refusals, (await rows.indexes()).length];
    },
    answer: [Array.from({ length: 6 }, () => ({ code: 263 })), 2],
  },
  {
    name: 'a collection with its indexes may come about in a transaction, and goes with it',
    async ask({ rows, client }) {
      const make = (isKept: boolean) =>
        inTransaction(client, async (session) => {
          await rows.createIndex({ a: 1 }, { name: 'a', unique: true, session });
          await rows.insertOne({ _id: 1, a: 1 }, { session });
          if (isKept) await session.commitTransaction();
        });
      await make(false);
      const before = await rows.countDocuments();
      await make(true);
      return [before, (await rows.indexes()).map(({ name }) => name)];
    },
    answer: [0, ['_id_', 'a']],
  },
  {
    name: 'a transaction reads, sums and changes what it wrote itself',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertMany(
          [
            { _id: 1, n: 1 },
            { _id: 2, n: 2 },
          ],
          { session },
        );
        await rows.updateMany({ n: { $gte: 1 } }, { $inc: { n: 10 } }, { session });
        const taken = await rows.findOneAndUpdate(
          { n: 12 },
          { $set: { taken: true } },
          { session, returnDocument: 'after' },
        );
        await rows.updateOne({ _id: 3 }, { $inc: { n: 5 } }, { session, upsert: true });
        await rows.deleteMany({ _id: 1 }, { session });
        const sum = [{ $group: { _id: null, n: { $sum: '$n' } } }];
        return [
          taken,
          await rows.aggregate(sum, { session }).toArray(),
          (await rows.distinct('n', {}, { session })).sort(),
        ];
      }),
    answer: [{ _id: 2, n: 12, taken: true }, [{ _id: null, n: 17 }], [12, 5]],
  },
  {
    name: 'a bulk write in a transaction stands or falls with it',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 1, n: 1 });
      await inTransaction(client, async (session) => {
        await rows.bulkWrite(
          [
            { insertOne: { document: { _id: 2 } } },
            { updateOne: { filter: { _id: 1 }, update: { $inc: { n: 1 } } } },
          ],
          { session },
        );
        await session.abortTransaction();
      });
      return rows.find().toArray();
    },
    answer: [{ _id: 1, n: 1 }],
  },
  {
    name: 'a row that another deleted since the moment of a transaction collides',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 1 });
      return inTransaction(client, async (session) => {
        await rows.findOne({ _id: 0 }, { session });
        await rows.deleteOne({ _id: 0 });
        return refusalOf(() => rows.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session }));
      });
    },
    answer: { code: 112, labels: ['TransientTransactionError'] },
  },
  {
    name: 'a key that another inserted since the moment of a transaction is refused there',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0 });
      return inTransaction(client, async (session) => {
        await rows.findOne({ _id: 0 }, { session });
        await rows.insertOne({ _id: 1 });
        const refusal = await refusalOf(() => rows.insertOne({ _id: 1 }, { session }));
        return [11000, 112].includes((refusal as { code: number }).code);
      });
    },
    answer: true,
  },
  {
    name: 'a key that an open transaction inserted collides in another',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0 });
      return inTransaction(client, async (first) => {
        await rows.insertOne({ _id: 1 }, { session: first });
        const second = await inTransaction(client, (session) =>
          refusalOf(() => rows.insertOne({ _id: 1 }, { session, maxTimeMS: 300 })),
        );
        await first.commitTransaction();
        return [second, await rows.countDocuments()];
      });
    },
    answer: [{ code: 112, labels: ['TransientTransactionError'] }, 2],
  },
  {
    name: 'a write alone waits for a transaction that changes its row, and then goes by what that left',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 1 });
      return inTransaction(client, async (session) => {
        await rows.updateOne({ _id: 0 }, { $set: { n: 2 } }, { session });
        const guarded = rows.updateOne({ _id: 0, n: 1 }, { $set: { n: 9 } });
        const free = rows.updateOne({ _id: 0 }, { $inc: { n: 10 } });
        await session.commitTransaction();
        return [(await guarded).matchedCount, (await free).matchedCount, await rows.findOne({})];
      });
    },
    answer: [0, 1, { _id: 0, n: 12 }],
  },
  {
    name: 'a transaction that only reads may change nothing and commits',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0 });
      return inTransaction(client, async (session) => {
        const found = await rows.findOne({}, { session });
        await session.commitTransaction();
        return found;
      });
    },
    answer: { _id: 0 },
  },
];
