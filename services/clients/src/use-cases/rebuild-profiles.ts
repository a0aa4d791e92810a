import type { Deps, WorkspaceUnit } from '../deps';
import { withTrail } from '../domain/segments/profile-changes';
import { addChange, passChanges } from './insert-trail';
import { readTrail } from './read-trail';

/**
 * Makes the part of profiles anew that comes from what this service holds itself: trail, metrics, passes. Events of these
 * clients that come meanwhile wait for it: it would never be through with one who is always busy.
 */
export async function rebuildProfiles(
  { events, metrics, passes, profiles }: Pick<Deps, 'events' | 'metrics' | 'passes' | 'profiles'>,
  unit: WorkspaceUnit,
  clientIds: readonly string[],
): Promise<void> {
  const { workspaceId, session } = unit;
  await profiles.hold(workspaceId, clientIds, session);
  const bought = await metrics.findMany(workspaceId, clientIds, session);
  const changes = await passChanges({ passes }, unit, clientIds);
  for (const id of clientIds) {
    const kept = await readTrail({ events }, unit, id);
    addChange(changes, id, (profile) => withTrail(profile, kept, bought.get(id)!));
  }
  await profiles.revise(workspaceId, changes, session);
}
