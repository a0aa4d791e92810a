import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Document, GridFSBucket, Long, ObjectId } from 'mongodb';
import mongoose from 'mongoose';
import { failure, openDatabase, range, type TestDatabase } from './testing/harness';

interface Item extends Document {
  _id: string | number;
}

describe('documents through the official driver', () => {
  let test: TestDatabase;
  const items = (name: string) => test.db.collection<Item>(name);
  beforeAll(async () => {
    test = await openDatabase();
  });
  afterAll(() => test.close());

  it('gives back every BSON type as it was put in', async () => {
    const document = {
      _id: 'types',
      id: new ObjectId(),
      at: new Date(0),
      long: Long.fromString('9007199254740993'),
      bytes: Buffer.from([0, 1, 255]),
      text: 'žluťoučký 🐎',
      nested: { list: [1, 'two', { three: null }] },
    };
    await items('types').insertOne(document);
    const found = await items('types').findOne(
      { _id: 'types' },
      { promoteLongs: false, promoteBuffers: true },
    );
    expect(found).toEqual(document);
  });

  it('deletes a document by its _id while others change it, and only that one', async () => {
    for (let round = 0; round < 40; round += 1) {
      await items('contested').insertMany([{ _id: `a${round}`, n: 0 }, { _id: `b${round}` }]);
      let changing = true;
      const changers = range(3).map(async () => {
        while (changing)
          await items('contested').updateOne({ _id: `a${round}` }, { $inc: { n: 1 } });
      });
      const filter = { _id: `a${round}`, n: { $gte: 0 } };
      const deleted = await items('contested').deleteOne(filter);
      changing = false;
      await Promise.all(changers);
      expect(deleted).toMatchObject({ deletedCount: 1 });
    }
    expect(await items('contested').countDocuments({})).toBe(40);
    const ids = { _id: { $in: ['b0', 'b1'] } };
    expect(await items('contested').deleteOne(ids)).toMatchObject({ deletedCount: 1 });
  });

  it('reports a duplicate key as 11000 with key pattern, key value and index name', async () => {
    await items('dup').createIndex({ ws: 1, 'who.mail': 1 }, { unique: true, name: 'one_mail' });
    await items('dup').insertOne({ _id: 1, ws: 'a', who: { mail: 'm' } });
    const error = await failure(items('dup').insertOne({ _id: 2, ws: 'a', who: { mail: 'm' } }));
    expect(error).toMatchObject({
      code: 11000,
      keyPattern: { ws: 1, 'who.mail': 1 },
      keyValue: { ws: 'a', 'who.mail': 'm' },
    });
    expect(error.message).toMatch(
      /^E11000 duplicate key error collection: gw_\w+\.dup index: one_mail dup key/,
    );
    const sameId = await failure(items('dup').insertOne({ _id: 1 }));
    expect(sameId).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } });
  });

  it('reports a duplicate key that an update or findOneAndUpdate runs into', async () => {
    await items('dup_update').createIndex({ code: 1 }, { unique: true });
    await items('dup_update').insertMany([
      { _id: 1, code: 'x' },
      { _id: 2, code: 'y' },
    ]);
    const expected = { code: 11000, keyPattern: { code: 1 } };
    const valued = { ...expected, keyValue: { code: 'x' } };
    expect(
      await failure(items('dup_update').updateOne({ _id: 2 }, { $set: { code: 'x' } })),
    ).toMatchObject(expected);
    expect(
      await failure(items('dup_update').findOneAndUpdate({ _id: 2 }, { $set: { code: 'x' } })),
    ).toMatchObject(valued);
  });

  it('an unordered batch keeps what is not refused and names each refusal by its place', async () => {
    await items('batch').insertOne({ _id: 3 });
    const error = await failure(
      items('batch').insertMany(
        range(6).map((_id) => ({ _id })),
        { ordered: false },
      ),
    );
    expect(error).toMatchObject({
      code: 11000,
      insertedCount: 5,
      writeErrors: [{ index: 3, code: 11000 }],
    });
    expect(await items('batch').countDocuments()).toBe(6);
  });

  it('an ordered batch stops at the first refusal', async () => {
    await items('ordered').insertOne({ _id: 2 });
    await failure(items('ordered').insertMany(range(5).map((_id) => ({ _id }))));
    expect(
      (await items('ordered').find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    ).toEqual([0, 1, 2]);
  });

  it('updates by operator, pipeline, array filter and upsert', async () => {
    await items('up').insertOne({
      _id: 'a',
      n: 1,
      lots: [
        { k: 1, left: 5 },
        { k: 2, left: 5 },
      ],
    });
    const updated = await items('up').findOneAndUpdate(
      { _id: 'a', n: { $gte: 1 } },
      [{ $set: { n: { $add: ['$n', 10] } } }],
      {
        returnDocument: 'after',
      },
    );
    expect(updated?.n).toBe(11);
    await items('up').updateOne(
      { _id: 'a' },
      { $inc: { 'lots.$[lot].left': -2 } },
      { arrayFilters: [{ 'lot.k': 2 }] },
    );
    expect((await items('up').findOne({ _id: 'a' }))?.lots).toEqual([
      { k: 1, left: 5 },
      { k: 2, left: 3 },
    ]);
    const upserted = await items('up').updateOne(
      { _id: 'b' },
      { $setOnInsert: { n: 0 } },
      { upsert: true },
    );
    expect(upserted).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 'b' });
    expect(await items('up').findOneAndUpdate({ _id: 'a', n: 0 }, { $inc: { n: 1 } })).toBeNull();
    expect(await items('up').deleteMany({})).toMatchObject({ deletedCount: 2 });
  });

  it('runs client.bulkWrite over several collections and reports each failure', async () => {
    const ns = (name: string) => `${test.db.databaseName}.${name}`;
    const error = await failure(
      test.client.bulkWrite<Record<string, Item>>(
        [
          { name: 'insertOne', namespace: ns('bulk_a'), document: { _id: 1 } },
          { name: 'insertOne', namespace: ns('bulk_a'), document: { _id: 1 } },
          {
            name: 'updateOne',
            namespace: ns('bulk_b'),
            filter: { _id: 9 },
            update: { $set: { x: 1 } },
            upsert: true,
          },
          { name: 'deleteOne', namespace: ns('bulk_b'), filter: { _id: 9 } },
        ],
        { ordered: false, verboseResults: true },
      ),
    );
    expect(error).toMatchObject({
      partialResult: { insertedCount: 1, upsertedCount: 1, deletedCount: 1 },
    });
    expect(
      (error as unknown as { writeErrors: Map<number, { code: number }> }).writeErrors.get(1)?.code,
    ).toBe(11000);
  });

  it('aggregates with facets, lookups, groups and date arithmetic', async () => {
    await items('orders').insertMany(
      range(40).map((n) => ({
        _id: n,
        who: n % 4,
        sum: n,
        at: new Date(Date.UTC(2026, 0, 1 + n)),
      })),
    );
    await items('people').insertMany(range(4).map((n) => ({ _id: n, name: `p${n}` })));
    const [facets] = await items('orders')
      .aggregate([
        {
          $facet: {
            total: [{ $count: 'n' }],
            top: [
              { $group: { _id: '$who', sum: { $sum: '$sum' } } },
              { $sort: { sum: -1 } },
              { $limit: 1 },
            ],
            weeks: [
              {
                $group: {
                  _id: { $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'monday' } },
                },
              },
              { $count: 'n' },
            ],
          },
        },
      ])
      .toArray();
    expect(facets).toEqual({ total: [{ n: 40 }], top: [{ _id: 3, sum: 210 }], weeks: [{ n: 7 }] });
    const joined = await items('orders')
      .aggregate([
        { $match: { _id: 5 } },
        { $lookup: { from: 'people', localField: 'who', foreignField: '_id', as: 'person' } },
      ])
      .toArray();
    expect(joined[0]?.person).toEqual([{ _id: 1, name: 'p1' }]);
    expect((await items('orders').distinct('who')).sort()).toEqual([0, 1, 2, 3]);
    expect(await items('orders').countDocuments({ sum: { $gte: 20 } })).toBe(20);
    expect(await items('orders').estimatedDocumentCount()).toBe(40);
  });

  it('stores and streams files of several chunks (GridFS)', async () => {
    const bucket = new GridFSBucket(test.db, { chunkSizeBytes: 64 * 1024 });
    const bytes = Buffer.alloc(300 * 1024, 'laurel');
    const upload = bucket.openUploadStream('card.pkpass');
    await pipeline(Readable.from([bytes]), upload);
    const chunks: Buffer[] = await bucket.openDownloadStream(upload.id).toArray();
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    await bucket.delete(upload.id);
    expect(await test.db.collection('fs.chunks').countDocuments()).toBe(0);
  });

  it('makes, lists, renames, drops and describes collections', async () => {
    await test.db.createCollection('made');
    await items('made').insertOne({ _id: 1 });
    await items('made').rename('renamed');
    const names = (await test.db.listCollections({}, { nameOnly: true }).toArray()).map(
      ({ name }) => name,
    );
    expect(names).toContain('renamed');
    expect(names).not.toContain('made');
    expect(await items('renamed').drop()).toBe(true);
    const { databases } = await test.client.db('admin').admin().listDatabases({ nameOnly: true });
    expect(databases.map(({ name }) => name)).toContain(test.db.databaseName);
    expect(await test.db.stats()).toMatchObject({ ok: 1 });
  });

  it('answers an unknown command, a bad stage and a time limit as MongoDB does', async () => {
    expect(await failure(test.db.command({ fly: 1 }))).toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
    });
    expect(
      await failure(
        items('x')
          .aggregate([{ $nonsense: 1 }])
          .toArray(),
      ),
    ).toMatchObject({ code: 40324 });
    await items('slow').insertMany(range(2000).map((_id) => ({ _id, a: _id })));
    const endless = [
      { $lookup: { from: 'slow', pipeline: [], as: 'all' } },
      { $unwind: '$all' },
      { $group: { _id: '$all.a', n: { $sum: 1 } } },
    ];
    expect(
      await failure(items('slow').aggregate(endless, { maxTimeMS: 20 }).toArray()),
    ).toMatchObject({ code: 50 });
    expect(await items('slow').countDocuments({})).toBe(2000);
  });

  it('serves mongoose with its default options', async () => {
    const uri = (process.env.MONGODB_URI ?? '').replace(/[?&]retryWrites=false/, '');
    const connection = await mongoose
      .createConnection(uri, { dbName: test.db.databaseName })
      .asPromise();
    const schema = new mongoose.Schema(
      { _id: String, ws: String, points: Number },
      { timestamps: true },
    ).index({ ws: 1, points: -1 });
    const Wallet = connection.model('Wallet', schema);
    await Wallet.init();
    await Wallet.create([
      { _id: 'w1', ws: 'a', points: 1 },
      { _id: 'w2', ws: 'a', points: 2 },
    ]);
    await connection.transaction(async (session) => {
      await Wallet.updateOne({ _id: 'w1' }, { $inc: { points: 4 } }, { session });
    });
    expect(
      (await Wallet.find({ ws: 'a' }).sort({ points: -1 }).lean()).map(({ _id }) => _id),
    ).toEqual(['w1', 'w2']);
    await connection.close();
  });
});
