import { type Case, inTransaction, refusalOf } from './case';

/** Transactions: what they see, how they collide and how they end. */
export const transactions: readonly Case[] = [
  {
    name: 'what a transaction writes is seen by itself and by others only once it is committed',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertOne({ _id: 0 });
        await rows.insertOne({ _id: 1 }, { session });
        const within = [await rows.countDocuments({}, { session }), await rows.countDocuments()];
        await session.commitTransaction();
        return [...within, await rows.countDocuments()];
      }),
    answer: [2, 1, 2],
  },
  {
    name: 'what a transaction wrote is gone when it is aborted',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 1 });
      await inTransaction(client, async (session) => {
        await rows.updateOne({ _id: 0 }, { $set: { n: 2 } }, { session });
        await rows.insertOne({ _id: 1 }, { session });
        await session.abortTransaction();
      });
      return rows.find().toArray();
    },
    answer: [{ _id: 0, n: 1 }],
  },
  {
    name: 'a transaction reads one moment, whatever others commit meanwhile',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 1 });
      return inTransaction(client, async (session) => {
        const before = await rows.findOne({ _id: 0 }, { session });
        await rows.updateOne({ _id: 0 }, { $set: { n: 2 } });
        return [before?.n, (await rows.findOne({ _id: 0 }, { session }))?.n];
      });
    },
    answer: [1, 1],
  },
  {
    name: 'a row that another changed since the moment of a transaction collides: 112, to be run anew',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 1 });
      return inTransaction(client, async (session) => {
        await rows.findOne({ _id: 0 }, { session });
        await rows.updateOne({ _id: 0 }, { $inc: { n: 1 } });
        return refusalOf(() => rows.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session }));
      });
    },
    answer: { code: 112, labels: ['TransientTransactionError'] },
  },
  {
    name: 'two transactions that write one row: the second collides, the first commits',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0, n: 0 });
      return inTransaction(client, async (first) => {
        await rows.updateOne({ _id: 0 }, { $inc: { n: 1 } }, { session: first });
        const second = await inTransaction(client, (session) =>
          refusalOf(() =>
            rows.updateOne({ _id: 0 }, { $inc: { n: 10 } }, { session, maxTimeMS: 3_000 }),
          ),
        );
        await first.commitTransaction();
        return [second, await rows.findOne({})];
      });
    },
    answer: [
      { code: 112, labels: ['TransientTransactionError'] },
      { _id: 0, n: 1 },
    ],
  },
  {
    name: 'a duplicate within a transaction is 11000 and ends it',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 0 });
      return inTransaction(client, async (session) => {
        await rows.insertOne({ _id: 1 }, { session });
        const refusal = await refusalOf(() => rows.insertOne({ _id: 0 }, { session }));
        const next = await refusalOf(() => rows.insertOne({ _id: 2 }, { session }));
        return [(refusal as { code: number }).code, next, await rows.countDocuments()];
      });
    },
    answer: [11000, { code: 251, labels: ['TransientTransactionError'] }, 1],
  },
  {
    name: 'a commit that is asked for again is answered as the first time',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertOne({ _id: 1 }, { session });
        await session.commitTransaction();
        await session.commitTransaction();
        return rows.countDocuments();
      }),
    answer: 1,
  },
  {
    name: 'a commit of what was aborted does not exist',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertOne({ _id: 1 }, { session });
        const { id: lsid } = session.serverSession;
        const txnNumber = session.serverSession.txnNumber;
        await session.abortTransaction();
        const refusal = await refusalOf(() =>
          client.db('admin').command({ commitTransaction: 1, lsid, txnNumber, autocommit: false }),
        );
        return (refusal as { code: number }).code;
      }),
    answer: 251,
  },
  {
    name: 'a collection may come about within a transaction',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertMany([{ _id: 1 }, { _id: 2 }], { session });
        await session.commitTransaction();
        return rows.countDocuments();
      }),
    answer: 2,
  },
  {
    name: 'counting in a transaction counts what it wrote',
    ask: ({ rows, client }) =>
      inTransaction(client, async (session) => {
        await rows.insertMany(
          [
            { _id: 1, a: 1 },
            { _id: 2, a: 2 },
          ],
          { session },
        );
        return rows.countDocuments({ a: { $gt: 1 } }, { session });
      }),
    answer: 1,
  },
  {
    name: 'a command over its time is ended with 50',
    async ask({ rows }) {
      await rows.insertMany(Array.from({ length: 2_000 }, (_, _id) => ({ _id, a: _id % 7 })));
      const lookup = { from: rows.collectionName, localField: 'a', foreignField: 'a', as: 'all' };
      const refusal = await refusalOf(() =>
        rows
          .aggregate(
            [
              { $lookup: lookup },
              { $unwind: '$all' },
              { $group: { _id: '$all.a', n: { $sum: 1 } } },
            ],
            {
              maxTimeMS: 20,
            },
          )
          .toArray(),
      );
      return (refusal as { code: number }).code;
    },
    answer: 50,
  },
];
