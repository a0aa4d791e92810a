// Where a person can be found: everything that the platform has stored, read as text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { ROOT } from '../../deploy/local/lib/paths.mjs';
import { BATCH } from './store.mjs';

/** @typedef {import('./checker/world.mjs').Trace} Trace */

/** In each text of a guest, as a mark of whom it is about. */
const CANARY = /canary[0-9a-f]{12}/g;

/** @param {string} text @returns {string[]} whom it is about */
export const canariesIn = (text) => [...new Set(text.toLowerCase().match(CANARY) ?? [])];

/**
 * @param {{ uri: string, prefix: string, redisUrl: string, folders: readonly string[] }} places
 * @returns {Promise<Trace[]>} each place once for each person that is named there
 */
export async function findTraces({ uri, prefix, redisUrl, folders }) {
  const found = [
    ...(await inStore(uri, prefix)),
    ...(await inRedis(redisUrl)),
    ...folders.flatMap(inFolder),
  ];
  const known = new Map(found.map((trace) => [Object.values(trace).join(' '), trace]));
  return [...known.values()];
}

/** @param {string} uri @param {string} prefix @returns {Promise<Trace[]>} */
async function inStore(uri, prefix) {
  const client = await MongoClient.connect(uri);
  /** @type {Trace[]} */
  const traces = [];
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter((one) => one.name.startsWith(prefix))) {
    const service = name.slice(prefix.length);
    for (const { name: collection } of await client.db(name).listCollections().toArray()) {
      const rows = client.db(name).collection(collection).find({}, { batchSize: BATCH });
      for await (const row of rows) {
        const workspaceId = row.workspace_id ?? row.event?.workspaceid ?? null;
        for (const canary of canariesIn(JSON.stringify(row)))
          traces.push({ canary, place: `${service}.${collection}`, workspaceId });
      }
    }
  }
  await client.close();
  return traces;
}

/** @param {string} url @returns {Promise<Trace[]>} */
async function inRedis(url) {
  // The services' own client: not before it is built.
  const load = createRequire(path.join(ROOT, 'packages/backend/package.json'));
  const redis = load('redis').createClient({ url });
  await redis.connect();
  /** @type {Trace[]} */
  const traces = [];
  for await (const keys of redis.scanIterator({ COUNT: 1_000 }))
    for (const key of keys) {
      const kind = String(key).replace(/:.*/s, '');
      for (const canary of canariesIn(`${key} ${await contentOf(redis, key)}`))
        traces.push({ canary, place: `redis ${kind}`, workspaceId: null });
    }
  redis.destroy();
  return traces;
}

/** @param {any} redis @param {string} key */
async function contentOf(redis, key) {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return JSON.stringify(await redis.hGetAll(key));
    case 'list':
      return JSON.stringify(await redis.lRange(key, 0, -1));
    case 'set':
      return JSON.stringify(await redis.sMembers(key));
    case 'zset':
      return JSON.stringify(await redis.zRange(key, 0, -1));
    default:
      return '';
  }
}

/** @param {string} folder @returns {Trace[]} */
function inFolder(folder) {
  const names = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : [];
  return names.flatMap((name) => {
    const text = readText(path.join(folder, name));
    const place = `${path.basename(folder)}/${name}`;
    return canariesIn(text).map((canary) => ({ canary, place, workspaceId: null }));
  });
}

/** @param {string} file nothing where it is a folder */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
