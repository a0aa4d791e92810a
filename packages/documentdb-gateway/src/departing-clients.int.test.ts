import net from 'node:net';
import { Binary, serialize } from 'bson';
import { type Document, MongoClient } from 'mongodb';
import {
  askEngine,
  backends,
  describeWithEngine,
  failure,
  openDatabase,
  range,
  startInstance,
  type TestDatabase,
  until,
  WAITS_FOR_LOCK,
} from './testing/harness';

interface Item extends Document {
  _id: string | number;
}

describeWithEngine('clients that go away or fall silent (local engine)', () => {
  let gateway: Awaited<ReturnType<typeof startInstance>>;
  let observer: TestDatabase;
  const items = () => observer.db.collection<Item>('items');
  const connect = () => new MongoClient(gateway.uri).connect();
  const through = (client: MongoClient) =>
    client.db(observer.db.databaseName).collection<Item>('items');
  const inTransaction = () => backends(process.pid, "state like 'idle in transaction%'");

  beforeAll(async () => {
    gateway = await startInstance({
      DOCUMENTDB_POOL_SIZE: '8',
      // Longer than a busy machine takes to look at what is about to end.
      DOCUMENTDB_TRANSACTION_LIFETIME_MS: '12000',
      DOCUMENTDB_CURSOR_IDLE_MS: '8000',
      DOCUMENTDB_REAP_INTERVAL_MS: '20',
    });
    observer = await openDatabase();
  });
  afterAll(async () => {
    await observer.close();
    await gateway.stop();
  });
  beforeEach(async () => {
    await items().deleteMany({});
    await items().insertOne({ _id: 'w', n: 0 });
  });

  it('a client that dies in the middle of a transaction stalls no other', async () => {
    for (const round of range(5)) {
      const socket = await sendUpdate(gateway.port, observer.db.databaseName);
      await until(async () => (await inTransaction()) === 1);
      socket.destroy();
      await items().updateOne({ _id: 'w' }, { $inc: { n: 1 } });
      expect((await items().findOne({ _id: 'w' }))?.n).toBe(round + 1);
    }
  });

  it('a client that dies while its first command waits for a lock gives its connection back at once', async () => {
    const holder = observer.client.startSession();
    holder.startTransaction();
    await items().updateOne({ _id: 'w' }, { $inc: { n: 1 } }, { session: holder });
    for (const _round of range(10)) {
      const socket = await sendUpdate(gateway.port, observer.db.databaseName);
      await until(async () => (await backends(process.pid, WAITS_FOR_LOCK)) === 1);
      socket.destroy();
      await until(async () => (await backends(process.pid, WAITS_FOR_LOCK)) === 0);
    }
    await holder.commitTransaction();
    await holder.endSession();
    expect((await items().findOne({ _id: 'w' }))?.n).toBe(1);
  });

  it('a client that dies before its BEGIN was answered leaves nothing open', async () => {
    for (const _round of range(20)) {
      (await sendUpdate(gateway.port, observer.db.databaseName)).destroy();
    }
    await until(async () => (await backends(process.pid, "state <> 'idle'")) === 0);
    expect((await items().findOne({ _id: 'w' }))?.n).toBe(0);
  });

  it('a transaction left open is rolled back when its lifetime is over, and its client hears of it', async () => {
    const client = await connect();
    const session = client.startSession();
    session.startTransaction();
    await through(client).insertOne({ _id: 'late' }, { session });
    await until(async () => (await inTransaction()) === 0);
    const error = await failure(session.commitTransaction());
    expect(error).toMatchObject({ code: 251, errorLabels: ['TransientTransactionError'] });
    expect(await items().countDocuments()).toBe(1);
    await client.close();
  });

  it('an idle cursor is forgotten, and what the engine kept for it', async () => {
    await items().insertMany(range(500).map((_id) => ({ _id })));
    const client = await connect();
    const db = client.db(observer.db.databaseName);
    const { cursor } = await db.command({ find: 'items', batchSize: 5, sort: { n: 1 } });
    const file = `select count(*) from pg_ls_dir('pg_documentdb_cursor_files') f where f like '%${cursor.id}%'`;
    expect(await askEngine(file)).toBe('1');
    await until(async () => (await askEngine(file)) === '0');
    const next = db.command({ getMore: cursor.id, collection: 'items' });
    expect(await failure(next)).toMatchObject({ code: 43 });
    await client.close();
  });

  it('a write that a driver sends again is done once', async () => {
    const client = await connect();
    const db = client.db(observer.db.databaseName);
    const updates = [{ q: { _id: 'w' }, u: { $inc: { n: 1 } } }];
    const lsid = { id: new Binary(Buffer.alloc(16, 9), Binary.SUBTYPE_UUID) };
    const command = { update: 'items', updates, lsid, txnNumber: 1n };
    const send = async () =>
      (await exchange(gateway.port, { ...command, $db: observer.db.databaseName })).toString('hex');
    const [first, second] = [await send(), await send()];
    expect(second.slice(42)).toBe(first.slice(42)); // behind header and flags
    expect((await db.collection<Item>('items').findOne({ _id: 'w' }))?.n).toBe(1);
    await client.close();
  });

  it('bytes that are no message end that connection and no other', async () => {
    const socket = net.connect(gateway.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await closed;
    const client = await connect();
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
  });
});

function message(command: Document): Buffer {
  const body = serialize(command);
  const head = Buffer.alloc(21);
  for (const [index, value] of [head.length + body.length, 1, 0, 2013].entries()) {
    head.writeInt32LE(value, index * 4);
  }
  return Buffer.concat([head, body]);
}

/** Sends the first command of a transaction without waiting for an answer. */
function sendUpdate(port: number, $db: string): Promise<net.Socket> {
  const lsid = { id: new Binary(Buffer.from(crypto.randomUUID().replaceAll('-', ''), 'hex'), 4) };
  const updates = [{ q: { _id: 'w' }, u: { $inc: { n: 100 } } }];
  const transaction = { lsid, txnNumber: 1n, startTransaction: true, autocommit: false };
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.write(message({ update: 'items', updates, ...transaction, $db }), () => resolve(socket));
  });
}

/** Sends a command on a connection of its own and waits for the answer. */
function exchange(port: number, command: Document): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(reply);
    });
    socket.write(message(command));
  });
}
