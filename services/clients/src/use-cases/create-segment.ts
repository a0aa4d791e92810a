import { newId } from '@laurel/lifecycle';
import type { clients as api } from '@laurel/rpc';
import {
  requireRoomFor,
  requireRoomForOne,
  type SegmentDeps,
  withIds,
  writeSegment,
} from './write-segment';

/** Creates a segment. Bad filters are refused, each problem with the filter's position. */
export async function createSegment(
  deps: SegmentDeps,
  { workspace_id, key, name, description, filters }: api.CreateSegmentRequest,
): Promise<api.Segment> {
  const segment = {
    id: newId(),
    workspace_id,
    key: key ?? null,
    name,
    description: description ?? null,
    filters: withIds(filters),
    date_created: deps.clock.now(),
  };
  requireRoomFor(segment.filters);
  const place = { workspaceId: workspace_id, filters: segment.filters };
  return writeSegment(deps, place, async (session) => {
    await requireRoomForOne(deps, workspace_id, session);
    return { segment, isNew: true };
  });
}
