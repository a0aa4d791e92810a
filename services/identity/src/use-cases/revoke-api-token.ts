import { authKeys } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

export async function revokeApiToken(
  { cache, apiTokens }: Deps,
  { user_id }: identity.UserRequest,
): Promise<Record<string, never>> {
  // Again until none is left: a token regenerated meanwhile goes as well, under its own key.
  for (;;) {
    const token = await apiTokens.findOfUser(user_id);
    if (!token) return {};
    await cache.revoke([authKeys.token(token.token_sha256)], () =>
      apiTokens.remove(user_id, token.token_sha256),
    );
  }
}
