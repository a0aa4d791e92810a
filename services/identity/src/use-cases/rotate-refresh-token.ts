import { digestToken } from '@laurel/auth-cache';
import type { Session } from '@laurel/mongo';
import { newSuccessorSeed, successorOf } from '../domain/refresh-token';
import type { RefreshTokenRow, RefreshTokenStore } from '../store/refresh-tokens';

/** How long a page may bring a used token once more: a second tab, an answer that was lost (part 4, section 12). */
const FORGIVEN_MS = 10_000;

/** The token to go on with, and whether it is to be stored; `reused` gives the whole session away. */
export type Rotation = { next: string; isNew: boolean } | 'reused';

/**
 * Uses a refresh token, in the caller's transaction.
 *
 * @param isPage whether a use of moments ago is forgiven: then the same successor is answered, or, where that one was
 *   used as well by now, the one after it, so that a late answer never puts a dead token into a browser's cookie
 */
export async function rotateRefreshToken(
  store: RefreshTokenStore,
  { refreshToken, now, isPage }: { refreshToken: string; now: Date; isPage: boolean },
  session: Session,
): Promise<Rotation> {
  const seed = newSuccessorSeed();
  if (await store.use(digestToken(refreshToken), { now, seed }, session))
    return { next: successorOf(refreshToken, seed), isNew: true };
  if (!isPage) return 'reused';
  let next = refreshToken;
  let row = await store.find(digestToken(next), session);
  while (row && isForgiven(row, now)) {
    next = successorOf(next, row.successor_seed);
    row = await store.find(digestToken(next), session);
  }
  return row && row.used_at === null ? { next, isNew: false } : 'reused';
}

function isForgiven(
  row: RefreshTokenRow,
  now: Date,
): row is RefreshTokenRow & { successor_seed: string } {
  const isRecent = row.used_at !== null && now.getTime() - row.used_at.getTime() <= FORGIVEN_MS;
  return isRecent && row.successor_seed !== undefined;
}
