// The filled instance: generated once, kept beside its size and seed, and used again until it is asked for anew.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { Platform } from '../../../deploy/local/lib/platform.mjs';
import { say } from '../../../deploy/local/lib/progress.mjs';
import { readPrivate, writePrivate } from '../../../deploy/local/lib/secrets.mjs';
import { startGateway } from '../../lib/gateway.mjs';
import { httpClient } from '../load.mjs';
import { generate } from './generate.mjs';
import { makeScene } from './scene.mjs';

const HOUR_MS = 3_600_000;
/** Of the format and meaning of what is generated: data of another one is made anew. */
const VERSION = 1;

/**
 * @typedef {{ seed: string, clients: number, entries: number, tierClients: number }} Size
 * @typedef {Size & { version: number, at: string, made: Record<string, number>, scene: import('./scene.mjs').Scene }} Data
 */

/**
 * Makes the data unless it is there already.
 *
 * @param {import('../../../deploy/local/lib/paths.mjs').Instance} instance
 * @param {Size} size
 * @param {{ settings: NodeJS.ProcessEnv, fresh: boolean, onPlatform: (platform: Platform) => void }} options
 * @returns {Promise<Data>}
 */
export async function ensureData(instance, size, { settings, fresh, onPlatform }) {
  const file = path.join(instance.base, 'million.json');
  /** @type {Data | undefined} */
  const kept = readPrivate(file);
  const wanted = { ...size, version: VERSION };
  const same = kept && Object.entries(wanted).every(([name, value]) => kept[name] === value);
  if (same && !fresh) {
    say(`✓ ${size.clients} clients and ${size.entries} entries, generated ${kept.at}`);
    return kept;
  }
  rmSync(file, { force: true });
  rmSync(instance.data, { recursive: true, force: true });
  // Whole hours, so that the same seed on the same afternoon makes the same data.
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

  const first = new Platform(instance);
  onPlatform(first);
  await first.claim();
  const urls = await first.startInfrastructure();
  const baseUrl = await startGateway(first, urls, { settings });
  const http = httpClient(baseUrl, 1);
  const scene = await makeScene(http, { ...size, now });
  await http.close();
  await first.stop();

  const second = new Platform(instance);
  onPlatform(second);
  await second.claim();
  const { MONGODB_URI: uri, DOCUMENTDB_ENGINE_SOCKET: socket } = await second.startInfrastructure();
  const plans = Object.values(scene).map(({ plan }) => plan);
  const made = await generate({ uri, socket, spool: path.join(instance.base, 'spool'), plans });
  await second.stop();
  const data = { ...wanted, at: new Date().toISOString(), made, scene };
  writePrivate(file, data);
  return data;
}
