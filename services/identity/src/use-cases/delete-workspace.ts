import { authKeys } from '@laurel/auth-cache';
import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/**
 * Removes a workspace: nobody gets in any more from the next request on, and every service, this one
 * included, removes what it holds on hearing of it.
 */
export async function deleteWorkspace(
  { connection, outbox, cache, workspaces, members, mobileSessions }: Deps,
  { workspace_id, user_id, confirm_slug }: identity.DeleteWorkspaceRequest,
): Promise<Record<string, never>> {
  const everybody = await members.list(workspace_id);
  const keys = [
    authKeys.portal(workspace_id),
    ...everybody.map((member) => authKeys.member(workspace_id, member.user_id)),
    ...(await mobileSessions.liveIdsOfWorkspace(workspace_id)).map(authKeys.mobile),
  ];
  return cache.revoke(keys, () =>
    unitOfWork(connection, async (session) => {
      const workspace = await workspaces.lockMembers(workspace_id, session);
      if (workspace.creator_id !== user_id) throw refusals.onlyTheCreator();
      if (workspace.slug !== confirm_slug) throw refusals.wrongConfirmation();
      await workspaces.remove(workspace_id, session);
      await members.removeAll(workspace_id, session);
      const event = createEvent('identity.workspace_deleted', {
        workspaceId: workspace_id,
        subject: workspace_id,
        data: { workspace_id },
      });
      await outbox.append([event], session);
      return {};
    }),
  );
}
