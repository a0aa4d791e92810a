import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';

export async function hasApiToken(
  { apiTokens }: Deps,
  { user_id }: identity.UserRequest,
): Promise<identity.HasApiTokenReply> {
  return { has_token: (await apiTokens.findOfUser(user_id)) !== null };
}
