// A private Redis from the system's redis-server: rate limits, sessions and idempotency keys of one platform.
import { mkdirSync } from 'node:fs';
import { freePortFrom, isListening, PATIENCE_MS, waitUntil } from './lib/ports.mjs';
import { isAlive, spawnLogged, stopProcess } from './lib/processes.mjs';

/** What Redis may use. */
export const REDIS_MEMORY_MAX = '512mb';

/**
 * @param {{ dataDir: string, logFile: string, port?: number }} options
 * @returns {Promise<{ pid: number, port: number, url: string, stop(): Promise<void> }>}
 */
export async function startRedis({ dataDir, logFile, port }) {
  mkdirSync(dataDir, { recursive: true });
  const chosen = port ?? (await freePortFrom(6379));
  const { pid } = spawnLogged(
    'redis-server',
    // An append-only file flushed every second: stored idempotency answers survive a restart.
    [
      '--port',
      String(chosen),
      '--bind',
      '127.0.0.1',
      '--dir',
      dataDir,
      '--save',
      '',
      '--appendonly',
      'yes',
      // At its limit what was asked for longest ago goes, of what ends anyway (docs/adr/0044).
      '--maxmemory',
      REDIS_MEMORY_MAX,
      '--maxmemory-policy',
      'volatile-lru',
    ],
    { logFile },
  );
  await waitUntil(() => isListening(chosen), {
    what: 'Redis',
    withinMs: PATIENCE_MS,
    stillPossible: () => isAlive(pid),
    hint: `See ${logFile}`,
  });
  return { pid, port: chosen, url: `redis://127.0.0.1:${chosen}`, stop: () => stopProcess(pid) };
}
