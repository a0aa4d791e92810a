import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { displayName } from '../domain/contact';
import { refusals } from '../refusals';

/** What somebody who holds an invitation's token may see of it before signing in. */
export async function findInvitation(
  { invitations, users, workspaces, clock }: Deps,
  { invitation_token }: identity.InvitationTokenRequest,
): Promise<identity.PublicInvitation> {
  const row = await invitations.findByToken(invitation_token);
  if (row?.status !== 'pending' || row.expires_at <= clock.now()) throw refusals.deadInvitation();
  const [workspace, inviter, invited] = await Promise.all([
    workspaces.find(row.workspace_id),
    users.find(row.inviter_id),
    users.findByEmail(row.email),
  ]);
  if (!workspace) throw refusals.deadInvitation();
  return {
    email: row.email,
    expires_at: row.expires_at.toISOString(),
    inviter_email: inviter?.email ?? null,
    inviter_name: inviter ? displayName(inviter) : null,
    user_exists: invited !== null,
    workspace_name: workspace.name,
  };
}

/** The workspace an invitation belongs to, for guards of routes that name the invitation alone. */
export async function workspaceOfInvitation(
  { invitations }: Deps,
  { id }: identity.IdRequest,
): Promise<identity.WorkspaceReference> {
  const workspaceId = await invitations.workspaceOf(id);
  if (workspaceId === null) throw refusals.invitationNotFound();
  return { workspace_id: workspaceId };
}
