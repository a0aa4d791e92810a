import { authKeys } from '@laurel/auth-cache';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { versionOfMobileUser } from '../store/mobile-users';
import { existingMobileUser } from './read-mobile-users';

/** Removes an app user with sessions and pairing codes. */
export async function deleteMobileUser(
  deps: Deps,
  request: common.Id,
): Promise<Record<string, never>> {
  const { connection, cache, mobileUsers, mobileSessions, mobileRefreshTokens, pairingCodes } =
    deps;
  const { workspace_id, id } = request;
  await existingMobileUser(deps, request);
  const sessions = await mobileSessions.liveIdsOfUser(workspace_id, id);
  const all = await mobileSessions.ids(workspace_id, id);
  return cache.revoke(sessions.map(authKeys.mobile), () =>
    unitOfWork(connection, async (session) => {
      const user = await mobileUsers.find(workspace_id, id, session);
      requireUnchanged(user && versionOfMobileUser(user));
      await mobileRefreshTokens.removeOfSessions(all, session);
      await mobileSessions.removeOfUser(workspace_id, id, session);
      await pairingCodes.removeOfUser(workspace_id, id, session);
      await mobileUsers.remove(workspace_id, id, session);
      return {};
    }),
  );
}
