import type { Document } from 'mongodb';
import {
  describeWithEngine,
  failure,
  openDatabase,
  range,
  startInstance,
  until,
} from './testing/harness';

interface Item extends Document {
  _id: string | number;
}

describe('many clients at once', () => {
  it('a hundred connections work side by side', async () => {
    const test = await openDatabase({ minPoolSize: 100, maxPoolSize: 100 });
    const items = test.db.collection<Item>('items');
    const results = await Promise.all(
      range(1000).map(async (n) => {
        await items.insertOne({ _id: n });
        return items.findOne({ _id: n });
      }),
    );
    expect(results.map((found) => found?._id)).toEqual(range(1000));
    await test.close();
  });

  it('clients that write first to the same new collection all succeed', async () => {
    const tests = await Promise.all(range(8).map(() => openDatabase()));
    const name = tests[0]!.db.databaseName;
    for (const round of range(5)) {
      await Promise.all(
        tests.map(({ client }, n) =>
          client.db(name).collection<Item>(`new_${round}`).insertOne({ _id: n }),
        ),
      );
      expect(await tests[0]!.db.collection(`new_${round}`).countDocuments()).toBe(tests.length);
    }
    await Promise.all(tests.map((test) => test.close()));
  });

  it('single updates of one document by many clients lose nothing', async () => {
    const test = await openDatabase({ maxPoolSize: 50 });
    const items = test.db.collection<Item>('counter');
    await items.insertOne({ _id: 'c', n: 0 });
    await Promise.all(range(200).map(() => items.updateOne({ _id: 'c' }, { $inc: { n: 1 } })));
    expect((await items.findOne({ _id: 'c' }))?.n).toBe(200);
    await test.close();
  });
});

describeWithEngine('more transactions than engine connections (local engine)', () => {
  it('single statements go on, and transactions wait their turn', async () => {
    const gateway = await startInstance({ DOCUMENTDB_POOL_SIZE: '4' });
    const test = await openDatabase({ maxPoolSize: 30 }, gateway.uri);
    const items = test.db.collection<Item>('items');
    await items.insertMany(range(12).map((_id) => ({ _id, n: 0 })));
    await Promise.all(
      range(12).map(async (_id) => {
        const session = test.client.startSession();
        await session.withTransaction(async () => {
          await items.updateOne({ _id }, { $inc: { n: 1 } }, { session });
          // Outside of the transaction, while it holds its connection.
          await items.findOne({ _id: (_id + 1) % 12 });
        });
        await session.endSession();
      }),
    );
    expect(await items.countDocuments({ n: 1 })).toBe(12);
    await test.close();
    await gateway.stop();
  });

  it('a transaction that finds no connection in time is asked to try again', async () => {
    const gateway = await startInstance({
      DOCUMENTDB_POOL_SIZE: '2',
      DOCUMENTDB_POOL_WAIT_MS: '1500',
    });
    const test = await openDatabase({}, gateway.uri);
    const items = test.db.collection<Item>('items');
    await items.insertOne({ _id: 0 });
    const [first, second] = [test.client.startSession(), test.client.startSession()];
    first.startTransaction();
    await items.insertOne({ _id: 1 }, { session: first });
    second.startTransaction();
    const error = await failure(items.insertOne({ _id: 2 }, { session: second }));
    expect(error).toMatchObject({ code: 262, errorLabels: ['TransientTransactionError'] });
    await first.commitTransaction();
    await until(async () => (await items.countDocuments()) === 2);
    await Promise.all([first.endSession(), second.endSession()]);
    await test.close();
    await gateway.stop();
  });
});
