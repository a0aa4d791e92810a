/** The one command of a Redis client that reading needs. */
interface ReadingRedis {
  isReady: boolean;
  mGet(keys: string[]): Promise<(string | null)[]>;
}

const READ_MS_MAX = 250;

/**
 * Reads cached answers, all in one round trip; null where the cache does not know. Redis being down,
 * slow or holding nonsense is "does not know" as well: the caller then asks identity, so a broken
 * cache never opens a door.
 */
export async function readAuth<T>(
  redis: ReadingRedis,
  keys: readonly string[],
): Promise<(T | null)[]> {
  const unknown = keys.map(() => null);
  if (keys.length === 0 || !redis.isReady) return unknown;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), READ_MS_MAX);
  });
  try {
    const values = await Promise.race([redis.mGet([...keys]), late]);
    return values === null
      ? unknown
      : values.map((value) => (value === null ? null : JSON.parse(value)));
  } catch {
    return unknown;
  } finally {
    clearTimeout(timer);
  }
}
