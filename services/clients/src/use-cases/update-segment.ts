import { keyAfter, requireUnchanged } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { refusals } from '../refusals';
import { requireRoomFor, type SegmentDeps, withIds, writeSegment } from './write-segment';

/** Changes a segment; what is left out stays. Filters are replaced as a whole. */
export async function updateSegment(
  deps: SegmentDeps,
  request: api.UpdateSegmentRequest,
): Promise<api.Segment> {
  const { workspace_id: workspaceId, id, name, description } = request;
  const filters = request.filters && withIds(request.filters.items);
  return writeSegment(deps, { workspaceId, filters: filters ?? [] }, async (session) => {
    const current = await deps.segments.find(workspaceId, id, session);
    if (!current) throw refusals.segmentNotFound();
    const key = keyAfter(current.key, request.key, () => refusals.keyGiven({ field: 'key' }));
    requireUnchanged({ ...current, changedAt: current.date_updated ?? current.date_created });
    if (filters !== undefined) requireRoomFor(filters, current.filters);
    const segment = {
      ...current,
      revision: (current.revision ?? 0) + 1,
      date_updated: deps.clock.now(),
      key,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(filters === undefined ? {} : { filters }),
    };
    return { segment, isNew: false };
  });
}
