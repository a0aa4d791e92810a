import type { Once } from '@laurel/events';
import { removeWorkspace } from '@laurel/mongo';
import { collections } from '../collections';
import type { Deps } from '../deps';

/** Removes what identity still holds of a workspace that is gone. Harmless when repeated. */
export async function removeWorkspaceData(
  deps: Deps,
  workspaceId: string,
  once: Once,
): Promise<void> {
  const { audit, invitations, messages, mobileAppAccess, mobileRefreshTokens, mobileSessions } =
    deps;
  const { mobileUsers, pairingCodes, portalCodes, portalLogouts } = deps;
  while (!(await audit.removeSome(workspaceId)));
  await mobileRefreshTokens.removeOfSessions(await mobileSessions.liveIdsOfWorkspace(workspaceId));
  await removeWorkspace({ connection: deps.connection, collections }, workspaceId);
  await once(async (session) => {
    await invitations.removeAll(workspaceId, session);
    await messages.removeAll(workspaceId, session);
    await pairingCodes.removeAll(workspaceId, session);
    await mobileSessions.removeAll(workspaceId, session);
    await mobileUsers.removeAll(workspaceId, session);
    await mobileAppAccess.remove(workspaceId, session);
    await portalCodes.removeAll(workspaceId, session);
    await portalLogouts.removeAll(workspaceId, session);
  });
}
