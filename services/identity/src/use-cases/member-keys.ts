import { authKeys } from '@laurel/auth-cache';
import type { Deps } from '../deps';

/** Every cached answer that rests on a membership: the member's own, and the sessions of a linked app user. */
export async function memberKeys(
  { mobileUsers, mobileSessions }: Deps,
  workspaceId: string,
  userId: string,
): Promise<string[]> {
  const linked = await mobileUsers.findLinkedTo(workspaceId, userId);
  const sessions = linked ? await mobileSessions.liveIdsOfUser(workspaceId, linked._id) : [];
  return [authKeys.member(workspaceId, userId), ...sessions.map(authKeys.mobile)];
}
