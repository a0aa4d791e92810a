import type { Deps } from '../deps';

/**
 * Commits what takes rights away from all whom `look` finds, by the keys of their cached answers: from the next request on,
 * on every replica. Somebody may have come in between the look and the commit, so it looks once more.
 *
 * @param look finds afterwards, too, whom the commit has left without rights
 */
export async function revokeFound<T>(
  { cache }: Pick<Deps, 'cache'>,
  look: () => Promise<readonly string[]>,
  commit: () => Promise<T>,
): Promise<T> {
  const known = await look();
  const result = await cache.revoke(known, commit);
  const late = (await look()).filter((key) => !known.includes(key));
  await cache.revoke(late, async () => undefined);
  return result;
}
