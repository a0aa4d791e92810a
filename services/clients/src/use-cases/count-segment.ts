import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { withStatus } from '../domain/segments/criteria';
import { refusals } from '../refusals';
import { type CriteriaDeps, readCriteria } from './read-criteria';

/** How many clients are in a segment now. */
export async function countSegment(
  deps: CriteriaDeps & Pick<Deps, 'profiles'>,
  { workspace_id: workspaceId, id, status }: api.CountSegmentRequest,
): Promise<api.SegmentTotal> {
  const criterion = (await readCriteria(deps, workspaceId, [id])).get(id);
  if (!criterion) throw refusals.segmentNotFound();
  return { total: await deps.profiles.count(workspaceId, withStatus(criterion, status)) };
}
