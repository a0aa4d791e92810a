import { authKeys } from '@laurel/auth-cache';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { versionOfMobileUser } from '../store/mobile-users';
import { existingMobileUser } from './read-mobile-users';
import { revokeFound } from './revoke-found';

/** Removes an app user with sessions and pairing codes. */
export async function deleteMobileUser(
  deps: Deps,
  request: common.Id,
): Promise<Record<string, never>> {
  const { connection, mobileUsers, mobileSessions, mobileRefreshTokens, pairingCodes } = deps;
  const { workspace_id, id } = request;
  await existingMobileUser(deps, request);
  let sessions = await mobileSessions.ids(workspace_id, id);
  const look = async () => sessions.map(authKeys.mobile);
  return revokeFound(deps, look, () =>
    unitOfWork(connection, async (session) => {
      const user = await mobileUsers.find(workspace_id, id, session);
      requireUnchanged(user && versionOfMobileUser(user));
      sessions = await mobileSessions.ids(workspace_id, id, session);
      await mobileRefreshTokens.removeOfSessions(sessions, session);
      await mobileSessions.removeOfUser(workspace_id, id, session);
      await pairingCodes.removeOfUser(workspace_id, id, session);
      await mobileUsers.remove(workspace_id, id, session);
      return {};
    }),
  );
}
