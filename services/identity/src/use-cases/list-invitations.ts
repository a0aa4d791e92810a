import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAddressProven } from '../domain/address-proof';
import type { InvitationRow } from '../store/invitations';
import { isCallOfBefore } from './call-of-before';
import { toInvitationReply } from './wire';

/** A workspace's open invitations, those past their life as expired. */
export async function listInvitations(
  deps: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.InvitationList> {
  return present(deps, await deps.invitations.listOpen(workspace_id));
}

/** The open invitations to a user's own address; none until it is shown to be theirs, or to a token from before. */
export async function listMyInvitations(
  deps: Deps,
  { user_id, session_id }: identity.CallerRequest,
): Promise<identity.InvitationList> {
  const user = await deps.users.find(user_id);
  if (!user || !isAddressProven(user)) return { invitations: [] };
  if (await isCallOfBefore(deps, user, { sessionId: session_id })) return { invitations: [] };
  return present(deps, await deps.invitations.listOpenForEmail(user.email, deps.clock.now()));
}

async function present(
  { users, workspaces, clock }: Deps,
  rows: InvitationRow[],
): Promise<identity.InvitationList> {
  const [inviters, places] = await Promise.all([
    users.findMany(rows.map((row) => row.inviter_id)),
    workspaces.findMany(rows.map((row) => row.workspace_id)),
  ]);
  const inviterById = new Map(inviters.map((user) => [user._id, user]));
  const nameById = new Map(places.map((workspace) => [workspace._id, workspace.name]));
  const now = clock.now();
  const invitations = rows.flatMap((row) => {
    const workspaceName = nameById.get(row.workspace_id);
    if (workspaceName === undefined) return [];
    return [
      toInvitationReply(row, { inviter: inviterById.get(row.inviter_id), workspaceName, now }),
    ];
  });
  return { invitations };
}
