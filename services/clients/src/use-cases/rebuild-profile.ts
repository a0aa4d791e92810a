import type { Deps, WorkspaceUnit } from '../deps';
import { withTrail } from '../domain/segments/profile-changes';
import { addChange, passChanges } from './insert-trail';
import { readTrail } from './read-trail';

/**
 * Makes the part of a profile anew that comes from what this service holds itself: trail, metrics, passes. Events of the
 * client that come meanwhile wait for it: it would never be through with one who is always busy.
 */
export async function rebuildProfile(
  { events, metrics, passes, profiles }: Pick<Deps, 'events' | 'metrics' | 'passes' | 'profiles'>,
  unit: WorkspaceUnit,
  clientId: string,
): Promise<void> {
  const { workspaceId, session } = unit;
  await profiles.hold(workspaceId, [clientId], session);
  const bought = await metrics.findMany(workspaceId, [clientId], session);
  const changes = await passChanges({ passes }, unit, [clientId]);
  const kept = await readTrail({ events }, unit, clientId);
  addChange(changes, clientId, (profile) => withTrail(profile, kept, bought.get(clientId)!));
  await profiles.revise(workspaceId, changes, session);
}
