import { etagOf } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toSegmentReply } from './wire';

/** The segments with these ids; unknown ones are left out. */
export async function getSegments(
  { segments }: Pick<Deps, 'segments'>,
  { workspace_id: workspaceId, ids }: api.SegmentIds,
): Promise<api.SegmentList> {
  const found = await segments.findMany(workspaceId, [...new Set(ids)]);
  return { segments: found.map((one) => ({ ...toSegmentReply(one), etag: etagOf(one) })) };
}

/** The workspace of a segment. An unknown one is refused. */
export async function locateSegment(
  { segments }: Pick<Deps, 'segments'>,
  { id }: api.SegmentRequest,
): Promise<api.SegmentLocation> {
  const workspaceId = await segments.workspaceOf(id);
  if (workspaceId === null) throw refusals.segmentNotFound();
  return { workspace_id: workspaceId };
}
