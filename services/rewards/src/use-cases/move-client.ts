import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

/** A client became part of another: its redemptions and uses are the other's now. */
export async function moveClient(
  { redemptions, usages, merges }: Pick<Deps, 'redemptions' | 'usages' | 'merges'>,
  workspaceId: string,
  { source, target }: { source: string; target: string },
  session: Session,
): Promise<void> {
  await merges.note(workspaceId, source, target, session);
  await redemptions.moveClient(workspaceId, source, target, session);
  await usages.move(workspaceId, source, target, session);
}
