import type { ClientSession, Document } from 'mongodb';
import { failure, openDatabase, range, type TestDatabase } from './testing/harness';

interface Item extends Document {
  _id: string | number;
}

describe('multi-document transactions', () => {
  let test: TestDatabase;
  const items = (name: string) => test.db.collection<Item>(name);
  const inSession = async <T>(work: (session: ClientSession) => Promise<T>): Promise<T> => {
    const session = test.client.startSession();
    try {
      return await work(session);
    } finally {
      await session.endSession();
    }
  };
  beforeAll(async () => {
    test = await openDatabase({ maxPoolSize: 64 });
  });
  afterAll(() => test.close());

  it('are all or nothing, and unseen until they commit', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await items('a').insertOne({ _id: 1 }, { session });
      await items('b').insertOne({ _id: 1 }, { session });
      expect(await items('a').countDocuments()).toBe(0);
      expect(await items('a').countDocuments({}, { session })).toBe(1);
      await session.commitTransaction();
      expect(await items('b').countDocuments()).toBe(1);
      session.startTransaction();
      await items('a').deleteOne({ _id: 1 }, { session });
      await session.abortTransaction();
    });
    expect(await items('a').countDocuments()).toBe(1);
  });

  it('read from one snapshot', async () => {
    await items('snap').insertOne({ _id: 1, n: 1 });
    await inSession(async (session) => {
      session.startTransaction();
      expect((await items('snap').findOne({ _id: 1 }, { session }))?.n).toBe(1);
      await items('snap').updateOne({ _id: 1 }, { $set: { n: 2 } });
      expect((await items('snap').findOne({ _id: 1 }, { session }))?.n).toBe(1);
      await session.abortTransaction();
    });
  });

  it('the loser of a conflict gets code 112, labelled to be run again', async () => {
    await items('conflict').insertOne({ _id: 1, n: 0 });
    await inSession(async (session) => {
      session.startTransaction();
      await items('conflict').findOne({ _id: 1 }, { session });
      await items('conflict').updateOne({ _id: 1 }, { $inc: { n: 1 } });
      const error = await failure(
        items('conflict').updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session }),
      );
      expect(error).toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
      await session.abortTransaction();
    });
    expect((await items('conflict').findOne({ _id: 1 }))?.n).toBe(1);
  });

  it('no update of a contended document is lost', async () => {
    await items('hot').insertOne({ _id: 'w', n: 0 });
    await Promise.all(
      range(30).map((entry) =>
        inSession((session) =>
          session.withTransaction(async () => {
            await items('hot').updateOne({ _id: 'w' }, { $inc: { n: 1 } }, { session });
            await items('entries').insertOne({ _id: entry }, { session });
          }),
        ),
      ),
    );
    expect(await items('hot').findOne({ _id: 'w' })).toEqual({ _id: 'w', n: 30 });
    expect(await items('entries').countDocuments()).toBe(30);
  });

  it('two that lock the same documents in opposite order both come through', async () => {
    await items('cross').insertMany([
      { _id: 'a', n: 0 },
      { _id: 'b', n: 0 },
    ]);
    const move = (from: string, to: string) =>
      inSession((session) =>
        session.withTransaction(async () => {
          await items('cross').updateOne({ _id: from }, { $inc: { n: -1 } }, { session });
          await items('cross').updateOne({ _id: to }, { $inc: { n: 1 } }, { session });
        }),
      );
    await Promise.all(range(10).map((turn) => (turn % 2 ? move('a', 'b') : move('b', 'a'))));
    expect((await items('cross').find().toArray()).map(({ n }) => n)).toEqual([0, 0]);
  });

  it('a duplicate key ends the transaction: nothing of it is kept, even if the client commits', async () => {
    await items('dup').insertOne({ _id: 1 });
    await inSession(async (session) => {
      session.startTransaction();
      await items('dup').insertOne({ _id: 2 }, { session });
      expect(await failure(items('dup').insertOne({ _id: 1 }, { session }))).toMatchObject({
        code: 11000,
        keyPattern: { _id: 1 },
      });
      expect(await failure(session.commitTransaction())).toMatchObject({ code: 251 });
    });
    expect(await items('dup').countDocuments()).toBe(1);
  });

  it('a command after the abort is answered with NoSuchTransaction', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await items('after').insertOne({ _id: 1 }, { session });
      await test.db.admin().command({ killSessions: [session.id] });
      const error = await failure(items('after').insertOne({ _id: 2 }, { session }));
      expect(error).toMatchObject({ code: 251 });
      await session.abortTransaction();
    });
    expect(await items('after').countDocuments()).toBe(0);
  });

  it('committing twice is the same as committing once', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await items('twice').insertOne({ _id: 1 }, { session });
      await session.commitTransaction();
      await session.commitTransaction();
    });
    expect(await items('twice').countDocuments()).toBe(1);
  });

  it('the first write to a collection, and bulkWrite, work inside of one', async () => {
    const ns = (name: string) => `${test.db.databaseName}.${name}`;
    const result = await inSession((session) =>
      session.withTransaction(() =>
        test.client.bulkWrite<Record<string, Item>>(
          [
            { name: 'insertOne', namespace: ns('fresh_a'), document: { _id: 1 } },
            {
              name: 'updateOne',
              namespace: ns('fresh_b'),
              filter: { _id: 1 },
              update: { $inc: { n: 1 } },
              upsert: true,
            },
            { name: 'deleteMany', namespace: ns('fresh_a'), filter: { _id: 5 } },
          ],
          { session },
        ),
      ),
    );
    expect(result).toMatchObject({ insertedCount: 1, upsertedCount: 1, deletedCount: 0 });
    expect(await items('fresh_b').findOne()).toEqual({ _id: 1, n: 1 });
  });

  it('a cursor opened inside pages inside, and a failed bulkWrite keeps nothing', async () => {
    await items('pages').insertMany(range(50).map((_id) => ({ _id })));
    await inSession(async (session) => {
      session.startTransaction();
      const found = await items('pages')
        .find({}, { session, batchSize: 7, sort: { _id: -1 } })
        .toArray();
      expect(found.map(({ _id }) => _id)).toEqual(range(50).reverse());
      const namespace = `${test.db.databaseName}.pages`;
      const writes = [51, 3].map((_id) => ({
        name: 'insertOne' as const,
        namespace,
        document: { _id },
      }));
      await failure(test.client.bulkWrite<Record<string, Item>>(writes, { session }));
      await session.abortTransaction();
    });
    expect(await items('pages').countDocuments()).toBe(50);
  });
});
