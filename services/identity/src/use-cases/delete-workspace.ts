import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { WorkspaceRow } from '../store/workspaces';
import { revokeFound } from './revoke-found';

/**
 * Removes a workspace: no one gets in any more from the next request on, and every service, this one
 * included, removes what it holds on hearing of it.
 */
export async function deleteWorkspace(
  deps: Deps,
  { workspace_id, user_id, confirm_slug }: identity.DeleteWorkspaceRequest,
): Promise<Record<string, never>> {
  await endWorkspace(deps, workspace_id, (workspace) => {
    if (workspace.creator_id !== user_id) throw refusals.onlyTheCreator();
    if (workspace.slug !== confirm_slug) throw refusals.wrongConfirmation();
  });
  return {};
}

/** @param mayEnd throws where it may not */
export async function endWorkspace(
  deps: Deps,
  workspaceId: string,
  mayEnd: (workspace: WorkspaceRow) => void,
): Promise<void> {
  const { connection, outbox, workspaces, members, sandboxClocks } = deps;
  let everybody = await members.list(workspaceId);
  const look = () => keysOf(deps, workspaceId, everybody);
  await revokeFound(deps, look, () =>
    unitOfWork(connection, async (session) => {
      const workspace = await workspaces.lockMembers(workspaceId, session);
      mayEnd(workspace);
      everybody = await members.list(workspaceId, session);
      await workspaces.remove(workspaceId, session);
      await members.removeAll(workspaceId, session);
      if (workspace.sandbox) await sandboxClocks.remove(workspaceId, session);
      const event = createEvent('identity.workspace_deleted', {
        workspaceId,
        subject: workspaceId,
        data: { workspace_id: workspaceId },
      });
      await outbox.append([event], session);
    }),
  );
}

/** Every cached answer that lets somebody into a workspace. */
async function keysOf(
  { mobileSessions }: Pick<Deps, 'mobileSessions'>,
  workspaceId: string,
  everybody: readonly { user_id: string }[],
): Promise<string[]> {
  return [
    authKeys.portal(workspaceId),
    ...everybody.map((member) => authKeys.member(workspaceId, member.user_id)),
    ...(await mobileSessions.liveIdsOfWorkspace(workspaceId)).map(authKeys.mobile),
  ];
}
