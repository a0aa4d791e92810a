import type { Deps, WorkspaceUnit } from '../deps';
import { withTrail } from '../domain/segments/profile-changes';
import { addChange, passChanges } from './insert-trail';

/** Makes the part of profiles anew that comes from what this service holds itself: trail, metrics, passes. */
export async function rebuildProfiles(
  { events, metrics, passes, profiles }: Pick<Deps, 'events' | 'metrics' | 'passes' | 'profiles'>,
  unit: WorkspaceUnit,
  clientIds: readonly string[],
): Promise<void> {
  const { workspaceId, session } = unit;
  const told = await events.toldOfClients(workspaceId, clientIds, session);
  const bought = await metrics.findMany(workspaceId, clientIds, session);
  const changes = await passChanges({ passes }, unit, clientIds);
  for (const id of clientIds) {
    addChange(changes, id, (profile) => withTrail(profile, told.get(id)!, bought.get(id)!));
  }
  await profiles.revise(workspaceId, changes, session);
}
