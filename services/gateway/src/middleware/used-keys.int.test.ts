import { randomUUID } from 'node:crypto';
import { connectRedis, type Redis } from '@laurel/backend';
import { silentLogger, testServers } from '@laurel/testing';
import type { RpcClients } from '../rpc-clients';
import { anonymous } from './caller';
import { createIdempotency, keyScope } from './idempotency';
import { createUsedKeys } from './used-keys';

const PATH = '/service-api/templates/t/migrate-and-delete';
const own = [randomUUID(), randomUUID()];
const rpc = {
  identity: { ListWorkspaces: async () => ({ data: own.map((id) => ({ id })) }) },
} as unknown as Pick<RpcClients, 'identity'>;
const caller = { ...anonymous('ip'), userId: 'u' };

let redis: Redis;
beforeAll(async () => {
  redis = await connectRedis(testServers().redisUrl, silentLogger);
});
afterAll(() => redis.destroy());

async function useKey(workspaceId: string, path = PATH): Promise<string> {
  const key = randomUUID();
  await createIdempotency(redis, silentLogger)(keyScope(workspaceId, path), key, 'f');
  return key;
}
const find = (key: string, path = PATH, at: Pick<Redis, 'exists'> = redis) =>
  createUsedKeys({ rpc, redis: at })(caller, { path, key });

test('a key is found in the workspace in which it was used, where that is one of the caller’s', async () => {
  expect(await find(await useKey(own[1]!))).toBe(own[1]);
  expect(await find(await useKey(randomUUID()))).toBeNull();
  expect(await find(randomUUID())).toBeNull();
});

test('a key that came to another path says nothing of this one', async () => {
  expect(await find(await useKey(own[0]!), `${PATH}/other`)).toBeNull();
});

test('no key is known while Redis is away', async () => {
  const away = { exists: () => Promise.reject(new Error('away')) } as unknown as Redis;
  expect(await find(await useKey(own[0]!), PATH, away)).toBeNull();
});
