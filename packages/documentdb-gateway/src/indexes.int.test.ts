import type { Document } from 'mongodb';
import {
  describeWithEngine,
  failure,
  openDatabase,
  planOfFind,
  range,
  type TestDatabase,
} from './testing/harness';

interface Item extends Document {
  _id: number;
}

describe('indexes', () => {
  let test: TestDatabase;
  const items = (name: string) => test.db.collection<Item>(name);
  beforeAll(async () => {
    test = await openDatabase();
  });
  afterAll(() => test.close());

  it('a unique index holds from the moment its creation is answered', async () => {
    await items('unique').insertOne({ _id: 0, code: 'x' });
    await items('unique').createIndex({ code: 1 }, { unique: true });
    expect(await failure(items('unique').insertOne({ _id: 1, code: 'x' }))).toMatchObject({
      code: 11000,
    });
  });

  it('a unique index is refused while the data breaks it', async () => {
    await items('broken').insertMany([
      { _id: 0, code: 'x' },
      { _id: 1, code: 'x' },
    ]);
    expect(await failure(items('broken').createIndex({ code: 1 }, { unique: true }))).toMatchObject(
      { code: 11000 },
    );
  });

  it('a partial unique index leaves documents outside of its filter alone', async () => {
    await items('partial').createIndex(
      { ws: 1, ext: 1 },
      { unique: true, partialFilterExpression: { ext: { $type: 'string' } } },
    );
    await items('partial').insertMany([
      { _id: 0, ws: 'a' },
      { _id: 1, ws: 'a' },
      { _id: 2, ws: 'a', ext: 'e' },
    ]);
    expect(await failure(items('partial').insertOne({ _id: 3, ws: 'a', ext: 'e' }))).toMatchObject({
      code: 11000,
    });
    expect(await items('partial').countDocuments()).toBe(3);
  });

  it('of many writers of one unique key exactly one wins', async () => {
    await items('race').createIndex({ wallet: 1, sequence: 1 }, { unique: true });
    const outcomes = await Promise.allSettled(
      range(40).map((_id) => items('race').insertOne({ _id, wallet: 'w', sequence: 1 })),
    );
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : [],
    );
    expect(codes).toEqual(range(39).map(() => 11000));
  });

  it('TTL and wildcard indexes are kept and listed as they were asked for', async () => {
    await items('kinds').createIndex({ at: 1 }, { expireAfterSeconds: 60, name: 'ttl' });
    await items('kinds').createIndex({ 'fields.$**': 1 }, { name: 'any_field' });
    const listed = await items('kinds').listIndexes().toArray();
    expect(listed.find(({ name }) => name === 'ttl')).toMatchObject({
      key: { at: 1 },
      expireAfterSeconds: 60,
    });
    expect(listed.find(({ name }) => name === 'any_field')).toMatchObject({
      key: { 'fields.$**': 1 },
    });
    await items('kinds').insertMany(
      range(50).map((_id) => ({ _id, fields: { [`f${_id % 5}`]: _id } })),
    );
    expect(await items('kinds').countDocuments({ 'fields.f3': { $gte: 10 } })).toBe(8);
  });

  it('creating an index again changes nothing; with other options it is refused', async () => {
    const create = (options = {}) =>
      items('again').createIndex({ a: 1 }, { name: 'a', ...options });
    await create();
    await create();
    expect(await items('again').listIndexes().toArray()).toHaveLength(2);
    expect([85, 86]).toContain(
      ((await failure(create({ unique: true }))) as unknown as { code: number }).code,
    );
  });

  it('drops one index by name and all but _id_ at once', async () => {
    await items('drops').createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    await items('drops').dropIndex('a_1');
    expect((await items('drops').indexes()).map(({ name }) => name)).toEqual([
      '_id_',
      'b_1',
      'c_1',
    ]);
    expect(await failure(items('drops').dropIndex('a_1'))).toMatchObject({ code: 27 });
    await items('drops').dropIndexes();
    expect(await items('drops').indexes()).toHaveLength(1);
  });

  it('several clients may create the same indexes of a collection that does not exist yet', async () => {
    const clients = await Promise.all(range(6).map(() => openDatabase()));
    const keys: Document[] = [{ ws: 1, code: 1 }, { ws: 1, at: -1 }, { name: 1 }];
    await Promise.all(
      clients.map(({ client }) =>
        client
          .db(test.db.databaseName)
          .collection('crowd')
          .createIndexes(keys.map((key) => ({ key, unique: 'code' in key }))),
      ),
    );
    expect(await items('crowd').indexes()).toHaveLength(4);
    await Promise.all(clients.map((each) => each.close()));
  });

  it('indexes created while others write lose no write', async () => {
    const writes = range(60).map((_id) => items('busy').insertOne({ _id, a: _id, b: _id % 3 }));
    await Promise.all([
      ...writes,
      items('busy').createIndex({ a: 1 }, { unique: true }),
      items('busy').createIndex({ b: 1 }),
    ]);
    expect(await items('busy').countDocuments()).toBe(60);
    expect(await items('busy').countDocuments({ b: 1 })).toBe(20);
  });
});

describeWithEngine('indexes of the local engine', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openDatabase();
  });
  afterAll(() => test.close());

  it('a page of a long list is read along the index of its order, not sorted', async () => {
    const { db } = test;
    await db.collection('list').insertMany(range(2_000).map((at) => ({ ws: 'w', at })));
    await db.collection('list').createIndex({ ws: 1, at: -1, _id: -1 }, { name: 'newest' });
    const page = { find: 'list', filter: { ws: 'w' }, sort: { at: -1, _id: -1 }, limit: 20 };
    const plan = await planOfFind(db.databaseName, page);
    expect(plan).toContain('Index Scan using newest');
    expect(plan).not.toContain('Sort');
  });
});
