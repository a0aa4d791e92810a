import { type Session, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';

interface Merge {
  source: string;
  target: string;
}

/** A client became part of another: its redemptions and uses are the other's now. */
export async function moveClient(
  { redemptions, usages }: Pick<Deps, 'redemptions' | 'usages'>,
  workspaceId: string,
  { source, target }: Merge,
  session: Session,
): Promise<void> {
  await redemptions.moveClient(workspaceId, source, target, session);
  await usages.move(workspaceId, source, target, session);
}

/** The same for what a redemption wrote under the earlier client while the two were merged. */
export async function moveLate(deps: Deps, workspaceId: string, merge: Merge): Promise<void> {
  await unitOfWork(deps.connection, (session) => moveClient(deps, workspaceId, merge, session));
}
