import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toUserReply } from './wire';

export async function getUser(
  { users }: Deps,
  { user_id }: identity.UserRequest,
): Promise<identity.User> {
  const user = await users.find(user_id);
  if (!user) throw platform.recordNotFound();
  return toUserReply(user);
}
