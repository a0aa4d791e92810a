import { randomBytes } from 'node:crypto';
import { authKeys, digestToken } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import { requireCredential } from './require-credential';

const ATTEMPTS_MAX = 10;

/** Makes a user's API token and shows it this once; the one before it is dead on the next request. */
export async function regenerateApiToken(
  deps: Deps,
  { user_id, session_id }: identity.CallerRequest,
): Promise<identity.ApiTokenReply> {
  const { cache, connection, apiTokens, clock } = deps;
  const token = randomBytes(32).toString('hex');
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const previous = (await apiTokens.findOfUser(user_id))?.token_sha256 ?? null;
    const keys = previous === null ? [] : [authKeys.token(previous)];
    const replaced = await cache.revoke(keys, () =>
      unitOfWork(connection, async (session) => {
        const user = await requireCredential(deps, { user_id, session_id }, session);
        const isProven = isAddressProven(user);
        const next = { previous, sha256: digestToken(token), isProven, now: clock.now() };
        return apiTokens.replace(user_id, next, session);
      }),
    );
    if (replaced) return { token };
  }
  throw platform.conflict({ message: 'the token is being regenerated elsewhere, try again' });
}
