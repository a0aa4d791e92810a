import type { identity } from '@laurel/rpc';
import { emailKey } from '@laurel/values/email';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import { refusals } from '../refusals';
import { join } from './add-member';
import { isCallOfBefore } from './call-of-before';
import { commitMembership } from './commit-membership';
import { noteChange } from './note-change';

/**
 * Takes up an invitation to the caller's own address: once, while it is alive. The token that came by mail
 * verifies the address as well; the one that inviters are shown does not, or they could verify any address.
 */
export async function acceptInvitation(
  deps: Deps,
  { user_id, session_id, invitation_token }: identity.AcceptInvitationRequest,
): Promise<identity.AcceptedInvitation> {
  const { invitations, users, emailVerifications, workspaces, clock } = deps;
  return commitMembership(deps, user_id, async (session) => {
    const now = clock.now();
    const row = await invitations.findByToken(invitation_token, session);
    if (row?.status !== 'pending' || row.expires_at <= now) throw refusals.deadInvitation();
    const user = await users.find(user_id, session);
    if (!user || emailKey(user.email) !== row.email_key) throw refusals.someoneElsesInvitation();
    if (await isCallOfBefore(deps, user, { sessionId: session_id, session }))
      throw refusals.tokenOfBefore();
    const workspace = await workspaces.find(row.workspace_id, session);
    if (!workspace) throw refusals.deadInvitation();
    if (!(await invitations.close(row.workspace_id, row._id, { status: 'accepted', session })))
      throw refusals.deadInvitation();
    if (row.wasMailed && !isAddressProven(user)) {
      await users.update(user_id, { email_verified: true }, session);
      await emailVerifications.remove(user_id, session);
    }
    const place = { workspaceId: row.workspace_id, userId: user_id, role: row.role };
    const hasJoined = await join(deps, place, session);
    const change = { action: 'invitations.accept', entity: 'invitation', entityId: row._id };
    await noteChange(deps, { workspaceId: row.workspace_id, ...change, now }, session);
    return { result: { workspace_id: workspace._id, workspace_name: workspace.name }, hasJoined };
  });
}
