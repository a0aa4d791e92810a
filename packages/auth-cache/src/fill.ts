import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { mayFail } from '@laurel/lifecycle';

/** The commands of a Redis client that filling and revoking need. */
interface FillingRedis {
  isReady: boolean;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

export interface AuthCache {
  /**
   * Reads the truth and keeps it for a minute, unless a revocation came in between. `read` throws
   * the refusal when there is nothing to grant; refusals are never kept.
   */
  fill<T>(key: string, read: () => Promise<T>): Promise<T>;
  /**
   * Runs a commit that takes rights away. From before the commit until after it nothing can be kept
   * under `keys`, so that the first request after it reads the truth, on every replica, even if
   * this process dies half way.
   */
  revoke<T>(keys: readonly string[], commit: () => Promise<T>): Promise<T>;
}

const KEPT_SECONDS = 60;
/** A fence outlives any read of the truth that began under it. */
const FENCE_SECONDS = 120;
const ATTEMPTS_MAX = 5;
const OPEN = 'open:';
const CLOSED = 'closed:';

// A fence is a random name, never a count: after a flush it is missing and matches nothing.
const BEGIN = `
  local fence = redis.call('GET', KEYS[1])
  if fence then return fence end
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
  return ARGV[1]`;
const KEEP = `
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
  return 1`;
// Who closes it adds their name to those of others whose commits are under way: the last of them to end opens it.
const CLOSE = `
  local fence = redis.call('GET', KEYS[1])
  local names = ARGV[2]
  if fence and string.sub(fence, 1, ${CLOSED.length}) == '${CLOSED}' then names = fence .. ' ' .. names end
  redis.call('SET', KEYS[1], names, 'EX', ARGV[1])
  redis.call('DEL', KEYS[2])
  return 1`;
const END = `
  local fence = redis.call('GET', KEYS[1])
  local others = {}
  if fence and string.sub(fence, 1, ${CLOSED.length}) == '${CLOSED}' then
    for name in string.gmatch(fence, '%S+') do
      if name ~= ARGV[2] then table.insert(others, name) end
    end
  end
  local state = #others > 0 and table.concat(others, ' ') or ARGV[3]
  redis.call('SET', KEYS[1], state, 'EX', ARGV[1])
  redis.call('DEL', KEYS[2])
  return 1`;

/** Of the slot of its key: what stands in braces is what the slot is made of. */
const fenceOf = (key: string): string => `{${key}}:fence`;

/** The writing side of the cache; identity's alone (docs/adr/0005). */
export function createAuthCache(redis: FillingRedis): AuthCache {
  /** Lets `keys` forget what they hold and refuse what is being read for them now. */
  async function fence(keys: readonly string[], script: string, names: string[]): Promise<void> {
    const given = [String(FENCE_SECONDS), ...names];
    const change = (key: string) =>
      redis.eval(script, { keys: [fenceOf(key), key], arguments: given });
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (!redis.isReady) throw new Error('Redis is not connected');
        await Promise.all(keys.map(change));
        return;
      } catch {
        // Readers cannot reach Redis either, or what they find there is at most a minute old.
        if (attempt === ATTEMPTS_MAX) return;
        await pause(20 * attempt);
      }
    }
  }

  async function begin(key: string): Promise<string | null> {
    if (!redis.isReady) return null;
    try {
      const name = await redis.eval(BEGIN, {
        keys: [fenceOf(key)],
        arguments: [`${OPEN}${randomUUID()}`, String(FENCE_SECONDS)],
      });
      return typeof name === 'string' && name.startsWith(OPEN) ? name : null;
    } catch {
      return null;
    }
  }

  return {
    async fill(key, read) {
      const name = await begin(key);
      const truth = await read();
      if (name !== null) {
        await redis
          .eval(KEEP, {
            keys: [fenceOf(key), key],
            arguments: [name, JSON.stringify(truth), String(KEPT_SECONDS)],
          })
          .catch(mayFail('what is kept is asked for again'));
      }
      return truth;
    },

    async revoke(keys, commit) {
      if (keys.length === 0) return commit();
      const own = `${CLOSED}${randomUUID()}`;
      await fence(keys, CLOSE, [own]);
      try {
        return await commit();
      } finally {
        await fence(keys, END, [own, `${OPEN}${randomUUID()}`]);
      }
    },
  };
}
