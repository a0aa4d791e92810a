import type { Session } from '@laurel/mongo';
import type { EnrollmentDeps } from '../../deps';

type Deps = Pick<EnrollmentDeps, 'confirmations'>;

/** Ends the links that were mailed to somebody who is gone, and forgets what was filled in with them. */
export async function forgetEnrollments(
  { confirmations }: Deps,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  await confirmations.removeOfClient(workspaceId, clientId, session);
}

/** A link that was mailed to somebody is about who they are now. */
export async function moveEnrollments(
  { confirmations }: Deps,
  workspaceId: string,
  clients: { source: string; target: string },
  session: Session,
): Promise<void> {
  await confirmations.moveClient(workspaceId, clients, session);
}
