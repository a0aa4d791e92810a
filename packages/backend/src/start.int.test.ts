import { backend } from '@laurel/config';
import { newId } from '@laurel/lifecycle';
import { type CollectionIndexes, connectStore, planIndexes } from '@laurel/mongo';
import { testServers } from '@laurel/testing';
import { everyIndex } from './indexes';
import { runIndexes } from './indexes-cli';
import { startBackend } from './start';

const declared: CollectionIndexes[] = [
  { collection: 'things', indexes: [{ key: { code: 1 }, name: 'code', unique: true }] },
];

test('a service that only compares builds nothing and does not start without its unique indexes', async () => {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  const environment = {
    MONGODB_URI: mongodbUri,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redisUrl,
    MONGODB_DATABASE_PREFIX: prefix,
    INDEXES_AT_START: 'compare',
    LOG_LEVEL: 'silent',
  };
  const assembled = new Error('it would have started');
  const start = () =>
    startBackend({
      name: 'tiers',
      settings: backend,
      environment,
      indexes: declared,
      assemble: () => Promise.reject(assembled),
    }).catch((error: unknown) => error);
  const store = await connectStore({ uri: mongodbUri, database: `${prefix}tiers`, poolSize: 2 });
  try {
    expect(await start()).toMatchObject({ message: 'unique indexes are missing: things.code' });
    expect((await planIndexes(store, declared)).missing).toHaveLength(1);

    const lines: string[] = [];
    const run = (command: string) =>
      runIndexes(command, { service: 'tiers', declared, environment }, (line) => lines.push(line));
    expect(await run('plan')).toBe(1);
    expect(lines[0]).toBe('tiers: would build things.code (unique)');
    expect(await run('apply')).toBe(0);
    expect(await run('plan')).toBe(0);
    expect(lines.at(-1)).toBe('tiers: nothing to do');
    expect((await planIndexes(store, everyIndex(declared))).missing).toEqual([]);
    expect(await start()).toBe(assembled);
  } finally {
    await store.db?.dropDatabase();
    await store.close();
  }
});
