import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/** After a merge one client takes the other's place, in audiences that were fixed and in those to come. */
export async function moveClient(
  { audience, campaigns }: Pick<Deps, 'audience' | 'campaigns'>,
  workspaceId: string,
  { source, target }: { source: string; target: string },
  session: Session,
): Promise<void> {
  await audience.moveClient(workspaceId, { from: source, to: target }, session);
  await campaigns.replaceClient(workspaceId, source, target, session);
}
