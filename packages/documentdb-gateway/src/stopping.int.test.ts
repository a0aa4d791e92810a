import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { isInstalled, startDocumentdb } from '../../../deploy/local/documentdb.mjs';
import {
  backends,
  describeWithEngine,
  engineSocket,
  freePort,
  openDatabase,
  range,
  startInstance,
  startProcess,
  type TestDatabase,
  until,
  WAITS_FOR_LOCK,
} from './testing/harness';

interface Item extends Document {
  _id: string | number;
}

const ROOT =
  process.env.DOCUMENTDB_ENGINE_ROOT ?? path.resolve(__dirname, '../../../.local/engine');
const describeWithInstallation = engineSocket && isInstalled(ROOT) ? describe : describe.skip;

/** Inserts in eight lanes until the server is gone. @returns the ids that were acknowledged */
function writeUntilItEnds(client: MongoClient, database: string) {
  const items = client.db(database).collection<Item>('items');
  const acknowledged: number[] = [];
  const lanes = range(8).map(async (lane) => {
    for (let n = lane; ; n += 8) {
      await items.insertOne({ _id: n });
      acknowledged.push(n);
    }
  });
  return { acknowledged, ended: Promise.allSettled(lanes) };
}

describeWithEngine('a gateway that ends (local engine)', () => {
  let observer: TestDatabase;
  const items = () => observer.db.collection<Item>('items');
  beforeEach(async () => {
    observer = await openDatabase();
  });
  afterEach(() => observer.close());

  it('killed without warning, it loses no acknowledged write and leaves no lock behind', async () => {
    const { child, uri, ended } = await startProcess(await freePort());
    const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 3_000 }).connect();
    const through = client.db(observer.db.databaseName).collection<Item>('items');
    await through.insertOne({ _id: 'locked' });
    const session = client.startSession();
    session.startTransaction();
    await through.updateOne({ _id: 'locked' }, { $set: { by: 'the dead' } }, { session });
    const writing = writeUntilItEnds(client, observer.db.databaseName);
    await until(() => writing.acknowledged.length > 200);
    child.kill('SIGKILL');
    await Promise.all([ended, writing.ended]);
    const kept = await items().countDocuments({ _id: { $in: writing.acknowledged } });
    expect(kept).toBe(writing.acknowledged.length);
    const update = await items().updateOne({ _id: 'locked' }, { $set: { by: 'the living' } });
    expect(update).toMatchObject({ modifiedCount: 1 });
    await client.close();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s it answers what is in progress, rolls back open transactions and exits with 0',
    async (signal) => {
      await items().insertOne({ _id: 'contended' });
      const holder = observer.client.startSession();
      holder.startTransaction();
      await items().updateOne({ _id: 'contended' }, { $inc: { n: 1 } }, { session: holder });
      const { child, uri, ended } = await startProcess(await freePort());
      const client = await new MongoClient(uri).connect();
      const through = client.db(observer.db.databaseName).collection<Item>('items');
      const session = client.startSession();
      session.startTransaction();
      await through.insertOne({ _id: 'never committed' }, { session });
      const inProgress = through.updateOne({ _id: 'contended' }, { $inc: { n: 1 } });
      await until(async () => (await backends(child.pid, WAITS_FOR_LOCK)) === 1);
      child.kill(signal);
      await holder.commitTransaction();
      expect(await inProgress).toMatchObject({ modifiedCount: 1 });
      expect(await ended).toBe(0);
      expect(await items().find().toArray()).toEqual([{ _id: 'contended', n: 2 }]);
      await Promise.all([holder.endSession(), client.close()]);
    },
  );
});

describeWithInstallation('an engine that dies (local engine, own data)', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'laurel-engine-'));
  const running: { stop(): Promise<void> }[] = [];
  // Detached: what a test that failed has left would run on without its data.
  afterAll(async () => {
    for (const one of running.reverse()) await one.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('killed without warning, it has every acknowledged write after its restart, behind the same gateway', async () => {
    const options = { root: ROOT, dataDir, logFile: path.join(dataDir, 'engine.log') };
    const engine = await startDocumentdb(options);
    running.push(engine);
    const gateway = await startInstance({ DOCUMENTDB_ENGINE_SOCKET: engine.socket });
    running.push(gateway);
    const test = await openDatabase({ serverSelectionTimeoutMS: 5000 }, gateway.uri);
    const writing = writeUntilItEnds(test.client, test.db.databaseName);
    await until(() => writing.acknowledged.length > 300);
    process.kill(engine.pid, 'SIGKILL');
    await writing.ended;
    await until(() => !existsSync(`/proc/${engine.pid}`));
    running.push(await startDocumentdb(options));
    const kept = await test.db
      .collection<Item>('items')
      .countDocuments({ _id: { $in: writing.acknowledged } });
    expect(kept).toBe(writing.acknowledged.length);
    await test.close();
  });
});
