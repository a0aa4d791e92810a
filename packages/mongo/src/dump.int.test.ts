import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@laurel/lifecycle';
import { testServers } from '@laurel/testing';
import mongoose from 'mongoose';
import { dumpDatabases, restoreDatabases } from './dump';

const { MongoClient, Binary, Decimal128, Double, Int32, Long } = mongoose.mongo;

const uri = () => testServers().mongodbUri;
let folder: string;
let prefix: string;
const place = (...services: string[]) => ({ uri: uri(), prefix, services });
let client: InstanceType<typeof mongoose.mongo.MongoClient>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'laurel-dump-'));
  prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  client = await new MongoClient(uri()).connect();
});
afterEach(async () => {
  for (const name of ['a', 'b', 'trial_a']) await client.db(`${prefix}${name}`).dropDatabase();
  await client.close();
  rmSync(folder, { recursive: true });
});

const drop = () =>
  Promise.all(['a', 'b'].map((name) => client.db(`${prefix}${name}`).dropDatabase()));

test('what is restored is what was there, each value of its own type', async () => {
  const row = {
    _id: 'one' as never,
    at: new Date(5),
    whole: new Int32(1),
    fraction: new Double(2),
    long: Long.fromString('9007199254740993'),
    exact: Decimal128.fromString('1.10'),
    bytes: new Binary(Buffer.from([1, 2, 3])),
    nothing: null,
    list: [{ deep: true }],
    free: { $ref: 'a.b', $id: new Int32(1), city: 'Berlin' },
  };
  const things = client.db(`${prefix}a`).collection('things');
  await things.insertOne(row);
  const types = { promoteValues: false, promoteBuffers: false } as const;
  const before = await things.find({}, types).toArray();
  const bytes = await things.find({}, { raw: true }).toArray();
  expect(await dumpDatabases(place('a'), folder)).toMatchObject({
    databases: 1,
    documents: 1,
  });
  await drop();
  await restoreDatabases(uri(), folder);
  expect(await things.find({}, types).toArray()).toEqual(before);
  expect(await things.find({}, { raw: true }).toArray()).toEqual(bytes);
});

test('a dump is opened by the account that saved it, and by no other of the machine', async () => {
  await client.db(`${prefix}a`).collection('things').insertOne({ n: 1 });
  const backup = path.join(folder, 'backup');
  await dumpDatabases(place('a'), backup);
  expect(statSync(backup).mode & 0o077).toBe(0);
});

test('a dump under load is of one moment, over all databases', async () => {
  // Two databases that are written in one transaction: neither may ever be ahead.
  const [one, two] = ['a', 'b'].map((name) => client.db(`${prefix}${name}`).collection('rows'));
  await Promise.all([one!.insertOne({ n: 0 }), two!.insertOne({ n: 0 })]);
  let writing = true;
  const load = (async () => {
    for (let n = 1; writing; n += 1)
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await one!.insertOne({ n }, { session });
          await two!.insertOne({ n }, { session });
        }),
      );
  })();
  while ((await one!.countDocuments()) < 50) await one!.findOne();
  await dumpDatabases(place('a', 'b'), folder);
  writing = false;
  await load;
  await drop();
  await restoreDatabases(uri(), folder);
  const count = await one!.countDocuments();
  expect(count).toBeGreaterThanOrEqual(50);
  expect(await two!.countDocuments()).toBe(count);
});

test('a dump that ends before it is whole leaves nothing that could be taken for one', async () => {
  for (const name of ['a', 'b'])
    await client.db(`${prefix}${name}`).collection('rows').insertOne({ name });
  // A name that no file can have.
  const late = client.db(`${prefix}b`).collection('no/file');
  await late.insertOne({ n: 1 });
  await expect(dumpDatabases(place('a', 'b'), folder)).rejects.toThrow(
    /^nothing was saved: .*ENOENT/,
  );
  await expect(restoreDatabases(uri(), folder)).rejects.toThrow('holds no dump');
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
  await late.drop();
  await dumpDatabases(place('a', 'b'), folder);
  await expect(dumpDatabases(place('a', 'b'), folder)).rejects.toThrow('holds something already');
  mkdirSync(`${folder}.unfinished`);
  await expect(restoreDatabases(uri(), `${folder}.unfinished`)).rejects.toThrow('never finished');
  rmSync(`${folder}.unfinished`, { recursive: true });
});

test('nothing is restored over what is there, and nothing out of a file that was cut off', async () => {
  await client.db(`${prefix}a`).collection('things').insertOne({ n: 1 });
  await dumpDatabases(place('a'), folder);
  await expect(restoreDatabases(uri(), folder)).rejects.toThrow(`there already: ${prefix}a`);
  await drop();
  appendFileSync(path.join(folder, `${prefix}a`, 'things.bson'), Buffer.from([9, 0, 0, 0, 1]));
  await expect(restoreDatabases(uri(), folder)).rejects.toThrow('in the middle of a document');
});

test('a backup without the database of a service is none, and leaves nothing that could be taken for one', async () => {
  await client.db(`${prefix}a`).collection('entries').insertOne({ n: 1 });
  const backup = path.join(folder, 'backup');
  await expect(dumpDatabases(place('b', 'a'), backup)).rejects.toThrow(
    `nothing was saved: there is no ${prefix}b, or`,
  );
  expect(existsSync(backup)).toBe(false);
  expect(await dumpDatabases(place('a'), backup)).toMatchObject({ databases: 1, documents: 1 });
  expect(existsSync(backup)).toBe(true);
});

test('a second platform of the server whose prefix begins with the same letters is left out, and stands in no way of a restore', async () => {
  for (const name of ['a', 'trial_a'])
    await client.db(`${prefix}${name}`).collection('things').insertOne({ n: 1 });
  expect(await dumpDatabases(place('a'), folder)).toMatchObject({ databases: 1, documents: 1 });
  await client.db(`${prefix}a`).dropDatabase();
  expect(await restoreDatabases(uri(), folder)).toMatchObject({ databases: 1, documents: 1 });
});
