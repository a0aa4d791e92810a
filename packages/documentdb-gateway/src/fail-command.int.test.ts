import { type Document, MongoClient } from 'mongodb';
import type { Gateway } from './gateway';
import {
  describeWithEngine,
  failure,
  openDatabase,
  startInstance,
  type TestDatabase,
} from './testing/harness';

interface Item extends Document {
  _id: number;
}

describeWithEngine('failCommand (local engine)', () => {
  let gateway: Gateway & { uri: string };
  let test: TestDatabase;
  let control: MongoClient;
  const items = () => test.db.collection<Item>('items');
  const set = (mode: unknown, data: Document = {}) =>
    control.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
  const insert = (_id: number) => items().insertOne({ _id });
  const commitOf = async (_id: number): Promise<void> => {
    const session = test.client.startSession();
    try {
      session.startTransaction();
      await items().insertOne({ _id }, { session });
      await session.commitTransaction();
    } finally {
      await session.endSession();
    }
  };
  beforeAll(async () => {
    gateway = await startInstance({ DOCUMENTDB_TEST_COMMANDS: '1' });
    control = await new MongoClient(gateway.uri).connect();
  });
  beforeEach(async () => {
    test = await openDatabase({}, gateway.uri);
  });
  afterEach(async () => {
    await set('off');
    await test.close();
  });
  afterAll(async () => {
    await control.close();
    await gateway.stop();
  });

  it('is not there where test commands are not allowed', async () => {
    const closed = await startInstance();
    const client = await new MongoClient(closed.uri).connect();
    const asked = client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
    expect(await failure(asked)).toMatchObject({ code: 59 });
    await client.close();
    await closed.stop();
  });

  it('fails as many commands as it was set to, and says how many those were', async () => {
    await set({ times: 2 }, { failCommands: ['insert'], errorCode: 112 });
    for (const _id of [1, 2]) {
      expect(await failure(insert(_id))).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    }
    await insert(3);
    expect(await items().distinct('_id')).toEqual([3]);
    expect(await set('off')).toMatchObject({ count: 2 });
  });

  it('lets as many pass as it was set to skip, and fails every one after', async () => {
    await set({ skip: 1 }, { failCommands: ['insert'], errorCode: 2 });
    await insert(1);
    await failure(insert(2));
    await failure(insert(3));
    await set('off');
    await insert(4);
    expect(await items().distinct('_id')).toEqual([1, 4]);
  });

  it('gives an error the labels of a server, or those that it was set to', async () => {
    const labelsOf = async (errorCode: number, more: Document = {}) => {
      await set('alwaysOn', { failCommands: ['insert'], errorCode, ...more });
      return (await failure(commitOf(1))).errorLabels;
    };
    expect(await labelsOf(112)).toEqual(['TransientTransactionError']);
    expect(await labelsOf(10107)).toEqual(['TransientTransactionError']);
    expect(await labelsOf(11000)).toEqual([]);
    expect(await labelsOf(112, { errorLabels: ['Mine'] })).toContain('Mine');
  });

  it('closes the connection before the command, which is then not done', async () => {
    await set({ times: 1 }, { failCommands: ['insert'], closeConnection: true });
    expect(await failure(insert(1))).toMatchObject({ name: 'MongoNetworkError' });
    expect(await items().countDocuments()).toBe(0);
  });

  it('loses the reply to a commit that was done, and the driver finds it done when it asks again', async () => {
    const lost = { failCommands: ['commitTransaction'], closeConnection: true, afterCommand: true };
    await set({ times: 1 }, lost);
    await commitOf(1);
    expect(await items().countDocuments()).toBe(1);
    await set({ times: 2 }, lost);
    expect((await failure(commitOf(2))).errorLabels).toContain('UnknownTransactionCommitResult');
    expect(await items().countDocuments()).toBe(2);
  });

  it('does a write and says that it may not last', async () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' };
    await set({ times: 1 }, { failCommands: ['insert'], writeConcernError });
    expect(await failure(insert(1))).toMatchObject({ name: 'MongoWriteConcernError', code: 64 });
    expect(await items().countDocuments()).toBe(1);
  });

  it('holds a command back for as long as it was set to', async () => {
    await set({ times: 1 }, { failCommands: ['insert'], blockConnection: true, blockTimeMS: 300 });
    const asked = performance.now();
    await insert(1);
    expect(performance.now() - asked).toBeGreaterThanOrEqual(299);
    expect(await items().countDocuments()).toBe(1);
  });

  it('refuses what it does not have, so that no test goes on without its fault', async () => {
    const failCommands = ['insert'];
    expect(await failure(set('sometimes', { failCommands }))).toMatchObject({ code: 2 });
    expect(await failure(set({ times: 0 }, { failCommands }))).toMatchObject({ code: 2 });
    expect(await failure(set('alwaysOn', { failCommands, appName: 'a' }))).toMatchObject({
      code: 2,
    });
    expect(await failure(set('alwaysOn'))).toMatchObject({ code: 2 });
    await insert(1);
  });
});
