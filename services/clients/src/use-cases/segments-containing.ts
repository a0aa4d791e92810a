import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { complies } from '../domain/segments/criterion';
import { type CriteriaDeps, readCriteria } from './read-criteria';

/** Those of the segments that a client is in now. */
export async function segmentsContaining(
  deps: CriteriaDeps & Pick<Deps, 'profiles'>,
  {
    workspace_id: workspaceId,
    segment_ids: ids,
    client_id: clientId,
  }: api.SegmentsContainingRequest,
): Promise<api.ContainingSegments> {
  const [criteria, profile] = await Promise.all([
    readCriteria(deps, workspaceId, [...new Set(ids)]),
    deps.profiles.find(workspaceId, clientId),
  ]);
  if (!profile) return { ids: [] };
  const containing = [...criteria].filter(([, criterion]) => complies(profile, criterion));
  return { ids: containing.map(([id]) => id) };
}
