import { unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

export async function revokeInvitation(
  { connection, invitations }: Deps,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<Record<string, never>> {
  return unitOfWork(connection, async (session) => {
    if (!(await invitations.find(workspace_id, id, session))) throw refusals.invitationNotFound();
    if (!(await invitations.close(workspace_id, id, { status: 'revoked', session })))
      throw refusals.closedInvitation();
    return {};
  });
}
