import { Binary, type Document, Double, Long, ObjectId, UUID } from 'mongodb';
import { type Case, type Ground, inTransaction, type Row, refusalOf } from './case';

const UNIQUE = { unique: true, name: 'email_unique' } as const;

/** What a refused duplicate says, from E11000 on, with NS in place of database and collection. */
async function wordsOf({ rows }: Ground, work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    const { message } = error as Error;
    return message.slice(message.indexOf('E11000')).replaceAll(rows.namespace, 'NS');
  }
}

/** The words about a key of _id that is there twice. */
async function wordsOfKey(ground: Ground, _id: unknown): Promise<string> {
  const row = { _id } as Row;
  await ground.rows.insertOne(row);
  const words = await wordsOf(ground, () => ground.rows.insertOne(row));
  return words.slice(words.indexOf('dup key'));
}

const faultsOf = (error: unknown) => {
  const { name, writeErrors = [] } = error as { name: string; writeErrors?: Document[] };
  return [name, writeErrors.map(({ index, code }) => [index, code]).sort()];
};

/** Unique indexes that refuse: what they say, and where. */
export const duplicates: readonly Case[] = [
  {
    name: 'the words of a refused duplicate name collection, index, columns and values as a shell writes them',
    async ask(ground) {
      const { rows } = ground;
      await rows.createIndex({ w: 1, 'a.e': 1 }, UNIQUE);
      await rows.insertOne({ _id: 1, w: null, a: { e: 'x y' } });
      return wordsOf(ground, () => rows.insertOne({ _id: 2, a: { e: 'x y' } }));
    },
    answer:
      'E11000 duplicate key error collection: NS index: email_unique dup key: { w: null, a.e: "x y" }',
  },
  {
    name: 'the words of a refused duplicate write each kind of key its own way',
    async ask(ground) {
      const keys = [
        7,
        new Double(2),
        1.5,
        new Long('9007199254740993'),
        true,
        new Date(5),
        new ObjectId('0123456789abcdef01234567'),
        new UUID('01234567-89ab-cdef-0123-456789abcdef'),
        new Binary(Buffer.from('cafe', 'hex')),
        { a: 1, b: [true, {}], c: [] },
      ];
      const words: string[] = [];
      for (const key of keys) words.push(await wordsOfKey(ground, key));
      return words;
    },
    answer: [
      'dup key: { _id: 7 }',
      'dup key: { _id: 2.0 }',
      'dup key: { _id: 1.5 }',
      'dup key: { _id: 9007199254740993 }',
      'dup key: { _id: true }',
      'dup key: { _id: new Date(5) }',
      "dup key: { _id: ObjectId('0123456789abcdef01234567') }",
      'dup key: { _id: UUID("01234567-89ab-cdef-0123-456789abcdef") }',
      'dup key: { _id: BinData(0, CAFE) }',
      'dup key: { _id: { a: 1, b: [ true, {} ], c: [] } }',
    ],
  },
  {
    name: 'an update that a unique index refuses tells pattern and value',
    async ask({ rows }) {
      await rows.createIndex({ e: 1 }, UNIQUE);
      await rows.insertMany([
        { _id: 1, e: 'x' },
        { _id: 2, e: 'y' },
      ]);
      return refusalOf(() => rows.updateOne({ _id: 2 }, { $set: { e: 'x' } }));
    },
    answer: { code: 11000, keyPattern: { e: 1 }, keyValue: { e: 'x' } },
  },
  {
    name: 'the words about an update that a unique index refuses are those about an insert',
    async ask(ground) {
      const { rows } = ground;
      await rows.createIndex({ e: 1 }, UNIQUE);
      await rows.insertMany([
        { _id: 1, e: 'x' },
        { _id: 2, e: 'y' },
      ]);
      return wordsOf(ground, () => rows.updateOne({ _id: 2 }, { $set: { e: 'x' } }));
    },
    answer: 'E11000 duplicate key error collection: NS index: email_unique dup key: { e: "x" }',
  },
  {
    name: 'findOneAndUpdate and findOneAndReplace that a unique index refuses tell pattern, value and words',
    async ask(ground) {
      const { rows } = ground;
      await rows.createIndex({ e: 1 }, UNIQUE);
      await rows.insertMany([
        { _id: 1, e: 'x' },
        { _id: 2, e: 'y' },
      ]);
      const update = () => rows.findOneAndUpdate({ _id: 2 }, { $set: { e: 'x' } });
      const replace = () => rows.findOneAndReplace({ _id: 3 }, { e: 'x' }, { upsert: true });
      return [await refusalOf(update), await refusalOf(replace), await wordsOf(ground, update)];
    },
    answer: [
      { code: 11000, keyPattern: { e: 1 }, keyValue: { e: 'x' } },
      { code: 11000, keyPattern: { e: 1 }, keyValue: { e: 'x' } },
      'E11000 duplicate key error collection: NS index: email_unique dup key: { e: "x" }',
    ],
  },
  {
    name: 'an update of one row by its key and a guard, which inserts where the guard fails, is refused',
    async ask({ rows }) {
      await rows.insertOne({ _id: 'lease', until: 9 });
      const free = { _id: 'lease', until: { $lte: 5 } };
      const taking = () => rows.updateOne(free, { $set: { until: 20 } }, { upsert: true });
      return [await refusalOf(taking), await rows.findOne({})];
    },
    answer: [
      { code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 'lease' } },
      { _id: 'lease', until: 9 },
    ],
  },
  {
    name: 'a bulk write that unique indexes refuse tells the places, and does the rest where it is unordered',
    async ask({ rows }) {
      await rows.createIndex({ e: 1 }, UNIQUE);
      await rows.insertMany([
        { _id: 1, e: 'x' },
        { _id: 2, e: 'y' },
      ]);
      const faults = await rows
        .bulkWrite(
          [
            { insertOne: { document: { _id: 3, e: 'z' } } },
            { updateOne: { filter: { _id: 2 }, update: { $set: { e: 'x' } } } },
            { insertOne: { document: { _id: 1 } } },
            { updateOne: { filter: { _id: 1 }, update: { $set: { n: 1 } } } },
          ],
          { ordered: false },
        )
        .catch(faultsOf);
      return [faults, await rows.find().sort({ _id: 1 }).toArray()];
    },
    answer: [
      [
        'MongoBulkWriteError',
        [
          [1, 11000],
          [2, 11000],
        ],
      ],
      [
        { _id: 1, e: 'x', n: 1 },
        { _id: 2, e: 'y' },
        { _id: 3, e: 'z' },
      ],
    ],
  },
  {
    name: 'many rows inserted in a transaction, of which one is there, fail at its place and end it',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 1 });
      return inTransaction(client, async (session) => {
        const inserted = rows.insertMany([{ _id: 0 }, { _id: 1 }, { _id: 2 }], {
          session,
          ordered: false,
        });
        const faults = await inserted.catch(faultsOf);
        const next = await refusalOf(() => rows.findOne({}, { session }));
        return [faults, next];
      });
    },
    answer: [
      ['MongoBulkWriteError', [[1, 11000]]],
      { code: 251, labels: ['TransientTransactionError'] },
    ],
  },
  {
    name: 'an index over rows that are not unique tells pattern, value and words',
    async ask(ground) {
      const { rows } = ground;
      await rows.insertMany([
        { _id: 1, e: 'x' },
        { _id: 2, e: 'x' },
      ]);
      const build = () => rows.createIndex({ e: 1 }, UNIQUE);
      return [await refusalOf(build), await wordsOf(ground, build)];
    },
    answer: [
      { code: 11000, keyPattern: { e: 1 }, keyValue: { e: 'x' } },
      'E11000 duplicate key error collection: NS index: email_unique dup key: { e: "x" }',
    ],
  },
  {
    name: 'of many inserts of one key at once one is done and all others are refused',
    async ask({ rows }) {
      const inserts = Array.from({ length: 20 }, () => refusalOf(() => rows.insertOne({ _id: 1 })));
      const outcomes = await Promise.all(inserts);
      const refused = outcomes.filter((one) => one !== 'done');
      return [refused.length, refused.every((one) => (one as { code: number }).code === 11000)];
    },
    answer: [19, true],
  },
];
