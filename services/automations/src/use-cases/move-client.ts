import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/** After a merge the rules' record of one client, and what it used up, belong to the other. */
export async function moveClient(
  { executions, usages }: Pick<Deps, 'executions' | 'usages'>,
  workspaceId: string,
  { source, target }: { source: string; target: string },
  session: Session,
): Promise<void> {
  await executions.moveClient(workspaceId, source, target, session);
  await usages.moveClient(workspaceId, source, target, session);
}
