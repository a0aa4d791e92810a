import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { withTrail } from '../domain/segments/profile-changes';
import { addChange, passChanges } from './insert-trail';

/** Makes the part of a profile anew that comes from what this service holds itself: trail, metrics, passes. */
export async function rebuildProfile(
  { events, metrics, passes, profiles }: Pick<Deps, 'events' | 'metrics' | 'passes' | 'profiles'>,
  workspaceId: string,
  clientId: string,
  session: Session,
): Promise<void> {
  const rows = await events.toldOfClient(workspaceId, clientId, session);
  const bought = await metrics.findMany(workspaceId, [clientId], session);
  const changes = await passChanges({ passes }, workspaceId, [clientId], session);
  addChange(changes, clientId, (profile) => withTrail(profile, rows, bought.get(clientId)!));
  await profiles.revise(workspaceId, changes, session);
}
