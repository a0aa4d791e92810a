import { authKeys } from '@laurel/auth-cache';
import type { Deps } from '../deps';

/** The cached answers that rest on a user's tokens, the API token and the named ones; empty where there are none. */
export async function apiTokenKeys(
  { apiTokens, namedTokens }: Pick<Deps, 'apiTokens' | 'namedTokens'>,
  userId: string,
): Promise<string[]> {
  const [token, named] = await Promise.all([
    apiTokens.findOfUser(userId),
    namedTokens.listOfUser(userId),
  ]);
  return [...(token ? [token] : []), ...named].map(({ token_sha256 }) =>
    authKeys.token(token_sha256),
  );
}
