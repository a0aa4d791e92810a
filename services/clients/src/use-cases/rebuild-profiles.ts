import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { withTrail } from '../domain/segments/profile-changes';
import { addChange, passChanges } from './insert-trail';

/** Makes the part of profiles anew that comes from what this service holds itself: trail, metrics, passes. */
export async function rebuildProfiles(
  { events, metrics, passes, profiles }: Pick<Deps, 'events' | 'metrics' | 'passes' | 'profiles'>,
  workspaceId: string,
  clientIds: readonly string[],
  session: Session,
): Promise<void> {
  const told = await events.toldOfClients(workspaceId, clientIds, session);
  const bought = await metrics.findMany(workspaceId, clientIds, session);
  const changes = await passChanges({ passes }, workspaceId, clientIds, session);
  for (const id of clientIds) {
    addChange(changes, id, (profile) => withTrail(profile, told.get(id)!, bought.get(id)!));
  }
  await profiles.revise(workspaceId, changes, session);
}
