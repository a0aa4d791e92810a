import { type Case, type Ground, refusalOf } from './case';

const MB = 2 ** 20;
const HALF = 'x'.repeat(9 * MB);
/** More than a row may hold, and less than the driver's own buffer. */
const TOO_MUCH = 'x'.repeat(16 * MB + 400_000);
/** By its size in the command, by that of the row that would come of it, or of the one that an upsert would insert. */
const TOO_LARGE = [10334, 17419, 17420];

const isTooLarge = (refusal: object | 'done'): boolean =>
  TOO_LARGE.includes((refusal as { code?: number }).code ?? 0);

/** What the server says to a database of a name that the driver itself lets pass. */
function inDatabase({ client }: Ground, name: string): Promise<object | 'done'> {
  return refusalOf(() => client.db(name).collection('rows').insertOne({ a: 1 }));
}

/** What may not be: rows too large, names that are none. */
export const limits: readonly Case[] = [
  {
    name: 'an insert of more than 16 MB is refused as too large',
    ask: ({ rows }) => refusalOf(() => rows.insertOne({ _id: 1, all: TOO_MUCH })),
    answer: { code: 10334 },
  },
  {
    name: 'a row that an update would make larger than 16 MB is refused as too large, and stays',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, half: HALF });
      const other = { other: HALF };
      const refusals = [
        await refusalOf(() => rows.updateOne({ _id: 1 }, { $set: other })),
        await refusalOf(() => rows.updateOne({ _id: 1 }, { $push: other } as never)),
        await refusalOf(() => rows.findOneAndUpdate({ _id: 1 }, { $set: other })),
        await refusalOf(() => rows.bulkWrite([update(other)])),
      ];
      return [refusals.map(isTooLarge), await rows.countDocuments({ other: { $exists: true } })];
    },
    answer: [[true, true, true, true], 0],
  },
  {
    name: 'an answer with a row of more than 16 MB is refused as too large',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1, half: HALF });
      const twice = { a: '$half', b: '$half' };
      return refusalOf(() => rows.aggregate([{ $project: twice }]).toArray());
    },
    answer: { code: 10334 },
  },
  {
    name: 'rows of more than 16 MB together come in several batches',
    async ask({ rows }) {
      for (const _id of [1, 2, 3]) await rows.insertOne({ _id, half: HALF });
      const found = await rows.find().sort({ _id: 1 }).toArray();
      return found.map(({ _id, half }) => [_id, half.length]);
    },
    answer: [1, 2, 3].map((_id) => [_id, HALF.length]),
  },
  {
    name: 'a collection whose name is empty, too long, of the system, or with a dollar is refused',
    async ask({ client, rows }) {
      const names = ['', 'a$b', '.a', 'system.rows', 'x'.repeat(256)];
      const db = client.db(rows.dbName);
      return Promise.all(
        names.map((insert) => refusalOf(() => db.command({ insert, documents: [{ _id: 1 }] }))),
      );
    },
    answer: Array.from({ length: 5 }, () => ({ code: 73 })),
  },
  {
    name: 'a database whose name is too long or holds a blank, slash or quote is refused',
    ask: (ground) =>
      Promise.all(
        ['a b', 'a/b', 'a\\b', 'a"b', 'x'.repeat(64)].map((name) => inDatabase(ground, name)),
      ),
    answer: Array.from({ length: 5 }, () => ({ code: 73 })),
  },
  {
    name: 'a database whose name differs from that of another by capitals only is refused',
    async ask(ground) {
      await ground.rows.insertOne({ _id: 1 });
      return inDatabase(ground, ground.rows.dbName.toUpperCase());
    },
    answer: { code: 13297 },
  },
  {
    name: 'an index without a name or columns, or with a name or columns that are none, is refused',
    ask: ({ client, rows }) => {
      const db = client.db(rows.dbName);
      const indexes = [
        { key: { a: 1 } },
        { key: { a: 1 }, name: '' },
        { key: { a: 1 }, name: '*' },
        { key: {}, name: 'none' },
        { key: { a: 0 }, name: 'zero' },
        { key: { 'a..b': 1 }, name: 'gap' },
        { key: { $a: 1 }, name: 'dollar' },
        { key: { a: 1 }, name: 'unknown', colour: 'red' },
      ];
      const making = (index: object) =>
        refusalOf(() => db.command({ createIndexes: rows.collectionName, indexes: [index] }));
      return Promise.all(indexes.map(making));
    },
    answer: [9, 67, 2, 67, 67, 67, 67, 197].map((code) => ({ code })),
  },
  {
    name: 'the name of the index on _id is refused for another',
    ask: ({ rows }) => refusalOf(() => rows.createIndex({ a: 1 }, { name: '_id_' })),
    answer: { code: 2 },
  },
];

const update = (change: object) => ({
  updateOne: { filter: { _id: 1 }, update: { $set: change } },
});
