import { type Case, refusalOf } from './case';

/** Indexes: made, compared, refused and used. */
export const indexes: readonly Case[] = [
  {
    name: 'an index that is asked for again is no fault',
    async ask({ rows }) {
      const name = await rows.createIndex({ a: 1 }, { name: 'by_a' });
      return [name, await rows.createIndex({ a: 1 }, { name: 'by_a' })];
    },
    answer: ['by_a', 'by_a'],
  },
  {
    name: 'the name of an index with other columns is refused',
    async ask({ rows }) {
      await rows.createIndex({ a: 1 }, { name: 'mine' });
      return refusalOf(() => rows.createIndex({ b: 1 }, { name: 'mine' }));
    },
    answer: { code: 86 },
  },
  {
    name: 'the columns of an index under another name are refused',
    async ask({ rows }) {
      await rows.createIndex({ a: 1 }, { name: 'mine' });
      return refusalOf(() => rows.createIndex({ a: 1 }, { name: 'other' }));
    },
    answer: { code: 85 },
  },
  {
    name: 'a unique index over rows that are not unique is refused',
    async ask({ rows }) {
      await rows.insertMany([
        { _id: 1, a: 1 },
        { _id: 2, a: 1 },
      ]);
      const refusal = await refusalOf(() => rows.createIndex({ a: 1 }, { unique: true }));
      return (refusal as { code: number }).code;
    },
    answer: 11000,
  },
  {
    name: 'a partial unique index binds only the rows that it is of',
    async ask({ rows }) {
      await rows.createIndex(
        { e: 1 },
        { unique: true, name: 'e', partialFilterExpression: { e: { $type: 'string' } } },
      );
      await rows.insertMany([
        { _id: 1, e: null },
        { _id: 2, e: null },
        { _id: 3 },
        { _id: 4, e: 'x' },
      ]);
      return refusalOf(() => rows.insertOne({ _id: 5, e: 'x' }));
    },
    answer: { code: 11000, keyPattern: { e: 1 }, keyValue: { e: 'x' } },
  },
  {
    name: 'a unique index counts a missing column as null',
    async ask({ rows }) {
      await rows.createIndex({ e: 1 }, { unique: true, name: 'e' });
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.insertOne({ _id: 2 }));
    },
    answer: { code: 11000, keyPattern: { e: 1 }, keyValue: { e: null } },
  },
  {
    name: 'a unique index over a list binds each element of two rows, and not those of one',
    async ask({ rows }) {
      await rows.createIndex({ l: 1 }, { unique: true, name: 'l' });
      await rows.insertOne({ _id: 1, l: ['x', 'x'] });
      return (await refusalOf(() => rows.insertOne({ _id: 2, l: ['y', 'x'] }))) !== 'done';
    },
    answer: true,
  },
  {
    name: 'the list of indexes tells name, columns in their order, uniqueness, filter and end',
    async ask({ rows }) {
      await rows.createIndexes([
        { key: { w: 1, at: -1 }, name: 'newest' },
        {
          key: { e: 1 },
          name: 'e',
          unique: true,
          partialFilterExpression: { e: { $exists: true } },
        },
        { key: { at: 1 }, name: 'ttl', expireAfterSeconds: 60 },
      ]);
      const found = await rows.indexes();
      return found
        .filter(({ name }) => name !== '_id_')
        .map(({ name, key, unique, partialFilterExpression, expireAfterSeconds }) => ({
          name,
          key: Object.entries(key),
          ...(unique && { unique }),
          ...(partialFilterExpression && { partialFilterExpression }),
          ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
        }));
    },
    answer: [
      {
        name: 'newest',
        key: [
          ['w', 1],
          ['at', -1],
        ],
      },
      {
        name: 'e',
        key: [['e', 1]],
        unique: true,
        partialFilterExpression: { e: { $exists: true } },
      },
      { name: 'ttl', key: [['at', 1]], expireAfterSeconds: 60 },
    ],
  },
  {
    name: 'indexes of a collection that does not exist are not found',
    ask: ({ rows }) => refusalOf(() => rows.indexes()),
    answer: { code: 26 },
  },
  {
    name: 'an index that is not there cannot be dropped',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.dropIndex('nowhere'));
    },
    answer: { code: 27 },
  },
  {
    name: 'the index on _id cannot be dropped',
    async ask({ rows }) {
      await rows.insertOne({ _id: 1 });
      return refusalOf(() => rows.dropIndex('_id_'));
    },
    answer: { code: 72 },
  },
  {
    name: 'the list of collections names those that exist',
    async ask({ rows, client }) {
      await rows.insertOne({ _id: 1 });
      const found = await client
        .db(rows.dbName)
        .listCollections({ name: rows.collectionName }, { nameOnly: true })
        .toArray();
      return found.map(({ name, type }) => [name === rows.collectionName, type]);
    },
    answer: [[true, 'collection']],
  },
];
