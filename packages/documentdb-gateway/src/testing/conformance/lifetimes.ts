import { type Case, type Ground, refusalOf } from './case';

const collMod = ({ client, rows }: Ground, index: object) =>
  client.db(rows.dbName).command({ collMod: rows.collectionName, index });

async function secondsOf({ rows }: Ground): Promise<unknown> {
  const found = await rows.indexes();
  return found.find(({ name }) => name === 'ttl')?.expireAfterSeconds;
}

/** TTL indexes: made, compared, changed and refused. What they delete takes a server a minute to look for. */
export const lifetimes: readonly Case[] = [
  {
    name: 'a TTL index is asked for again with the same end, and refused with another',
    async ask(ground) {
      const { rows } = ground;
      const make = (expireAfterSeconds: number) =>
        refusalOf(() => rows.createIndex({ at: 1 }, { name: 'ttl', expireAfterSeconds }));
      return [await make(60), await make(60), await make(90), await secondsOf(ground)];
    },
    answer: ['done', 'done', { code: 85 }, 60],
  },
  {
    name: 'a TTL index over the same column downwards stands beside one with another end, so that it can replace it',
    async ask({ rows }) {
      await rows.createIndex({ at: 1 }, { name: 'before', expireAfterSeconds: 0 });
      await rows.createIndex({ at: -1 }, { name: 'ttl', expireAfterSeconds: 60 });
      const both = await rows.indexes();
      await rows.dropIndex('before');
      const left = await rows.indexes();
      return [both, left].map((found) =>
        found
          .filter(({ name }) => name !== '_id_')
          .map(({ name, key, expireAfterSeconds }) => [name, key.at, expireAfterSeconds])
          .sort(),
      );
    },
    answer: [
      [
        ['before', 1, 0],
        ['ttl', -1, 60],
      ],
      [['ttl', -1, 60]],
    ],
  },
  {
    name: 'the end of a TTL index is changed by its name or its columns, and what was before is said',
    async ask(ground) {
      await ground.rows.createIndex({ at: 1 }, { name: 'ttl', expireAfterSeconds: 60 });
      const byName = await collMod(ground, { name: 'ttl', expireAfterSeconds: 120 });
      const byKey = await collMod(ground, { keyPattern: { at: 1 }, expireAfterSeconds: 0 });
      const told = [byName, byKey].map(({ expireAfterSeconds_old: was, ...now }) => [
        was,
        now.expireAfterSeconds_new,
      ]);
      return [...told, await secondsOf(ground)];
    },
    answer: [[60, 120], [120, 0], 0],
  },
  {
    name: 'an index of one column becomes a TTL index by a change',
    async ask(ground) {
      await ground.rows.createIndex({ at: 1 }, { name: 'ttl' });
      await collMod(ground, { name: 'ttl', expireAfterSeconds: 120 });
      return secondsOf(ground);
    },
    answer: 120,
  },
  {
    name: 'a change of an index that is not there, or of a collection that is not, is refused',
    async ask(ground) {
      const change = () =>
        refusalOf(() => collMod(ground, { name: 'nowhere', expireAfterSeconds: 1 }));
      const before = await change();
      await ground.rows.insertOne({ _id: 1 });
      return [before, await change()];
    },
    answer: [{ code: 26 }, { code: 27 }],
  },
  {
    name: 'a TTL index over two columns, over _id or with an end before its begin is refused',
    async ask({ rows }) {
      const make = (key: Record<string, 1>, expireAfterSeconds: number) =>
        refusalOf(() => rows.createIndex(key, { name: 'ttl', expireAfterSeconds }));
      return [
        await make({ at: 1, b: 1 }, 60),
        await make({ _id: 1 }, 60),
        await make({ at: 1 }, -1),
      ];
    },
    answer: [{ code: 67 }, { code: 197 }, { code: 67 }],
  },
  {
    name: 'a TTL index with a filter keeps both',
    async ask({ rows }) {
      const partialFilterExpression = { done: true };
      const options = { name: 'ttl', expireAfterSeconds: 0, partialFilterExpression };
      await rows.createIndex({ at: 1 }, options);
      const found = (await rows.indexes()).find(({ name }) => name === 'ttl');
      return [found?.expireAfterSeconds, found?.partialFilterExpression];
    },
    answer: [0, { done: true }],
  },
];
