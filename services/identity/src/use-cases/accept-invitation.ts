import { commitOnce } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { emailKey } from '../domain/contact';
import { refusals } from '../refusals';
import { join } from './add-member';

/** Takes up an invitation to the caller's own address: once, while it is alive. */
export async function acceptInvitation(
  deps: Deps,
  { user_id, invitation_token }: identity.AcceptInvitationRequest,
): Promise<identity.AcceptedInvitation> {
  const { connection, invitations, users, workspaces, clock } = deps;
  return commitOnce(connection, async (session) => {
    const row = await invitations.findByToken(invitation_token, session);
    if (row?.status !== 'pending' || row.expires_at <= clock.now()) throw refusals.deadInvitation();
    const user = await users.find(user_id, session);
    if (!user || emailKey(user.email) !== row.email_key) throw refusals.someoneElsesInvitation();
    const workspace = await workspaces.find(row.workspace_id, session);
    if (!workspace) throw refusals.deadInvitation();
    if (!(await invitations.close(row.workspace_id, row._id, 'accepted', session)))
      throw refusals.deadInvitation();
    await join(deps, { workspaceId: row.workspace_id, userId: user_id, role: row.role }, session);
    return { workspace_id: workspace._id, workspace_name: workspace.name };
  });
}
