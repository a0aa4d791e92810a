import { cutTo } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toSegmentReply } from './wire';
import { requireRoomFor, requireRoomForOne } from './write-segment';

const SUFFIX = ' (copy)';
const NAME_MAX = 255;

/** Copies a segment with its filters, which get ids of their own. */
export async function duplicateSegment(
  { connection, segments, clock }: Pick<Deps, 'connection' | 'segments' | 'clock'>,
  { workspace_id: workspaceId, id, name }: api.DuplicateSegmentRequest,
): Promise<api.Segment> {
  return commitOnce(connection, async (session) => {
    await segments.lock(workspaceId, session);
    const original = await segments.find(workspaceId, id, session);
    if (!original) throw refusals.segmentNotFound();
    const { revision: _revision, date_updated: _changedAt, ...told } = original;
    const copy = {
      ...told,
      id: newId(),
      key: null,
      name: name ?? cutTo(NAME_MAX - SUFFIX.length, original.name) + SUFFIX,
      filters: original.filters.map((filter) => ({ ...filter, id: newId() })),
      date_created: clock.now(),
    };
    requireRoomFor(copy.filters);
    await requireRoomForOne({ segments }, workspaceId, session);
    await segments.insert(copy, session);
    return toSegmentReply(copy);
  });
}
