import { removeWorkspace } from '@laurel/mongo';
import type { Deps } from '../deps';
import { endClonesOf } from './end-clone';

/** Removes what identity still holds of a workspace that is gone. Harmless when repeated. */
export async function removeWorkspaceData(deps: Deps, workspaceId: string): Promise<void> {
  const { mobileRefreshTokens, mobileSessions, namedTokens } = deps;
  // Only their sessions say whose they are, so they go before them.
  await mobileRefreshTokens.removeOfSessions(await mobileSessions.ids(workspaceId));
  await namedTokens.removeOfWorkspace(workspaceId);
  await endClonesOf(deps, workspaceId);
  await removeWorkspace(deps, workspaceId);
}
