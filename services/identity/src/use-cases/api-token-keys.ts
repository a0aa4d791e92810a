import { authKeys } from '@laurel/auth-cache';
import type { Deps } from '../deps';

/** The cached answer that rests on a user's API token; empty where there is none. */
export async function apiTokenKeys(
  { apiTokens }: Pick<Deps, 'apiTokens'>,
  userId: string,
): Promise<string[]> {
  const token = await apiTokens.findOfUser(userId);
  return token ? [authKeys.token(token.token_sha256)] : [];
}
