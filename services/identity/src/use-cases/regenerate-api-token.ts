import { randomBytes } from 'node:crypto';
import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

const ATTEMPTS_MAX = 10;

/** Makes a user's API token and shows it this once; the one before it is dead on the next request. */
export async function regenerateApiToken(
  { cache, apiTokens, clock }: Deps,
  { user_id }: identity.UserRequest,
): Promise<identity.ApiTokenReply> {
  const token = randomBytes(32).toString('hex');
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const previous = (await apiTokens.findOfUser(user_id))?.token_sha256 ?? null;
    const keys = previous === null ? [] : [authKeys.token(previous)];
    const replaced = await cache.revoke(keys, () =>
      apiTokens.replace(user_id, previous, digestToken(token), clock.now()),
    );
    if (replaced) return { token };
  }
  throw platform.conflict({ message: 'the token is being regenerated elsewhere, try again' });
}
