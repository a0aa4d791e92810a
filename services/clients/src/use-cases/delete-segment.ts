import { commitOnce, requireUnchanged } from '@laurel/mongo';
import { type common, referenced } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/**
 * Deletes a segment. One that another is made of, that a rule asks for or that a campaign goes to is refused, because
 * what they do would change unseen (part 4, section 6). Rewards that name it keep naming it, and no client is in it.
 */
export async function deleteSegment(
  { connection, segments, references }: Pick<Deps, 'connection' | 'segments' | 'references'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    await segments.lock(workspaceId, session);
    const segment = await segments.find(workspaceId, id, session);
    if (!segment) throw refusals.segmentNotFound();
    requireUnchanged({ ...segment, changedAt: segment.date_updated ?? segment.date_created });
    const others = await segments.madeOf(workspaceId, id, session);
    const nesting = others.map((other) => ({ type: 'segment', id: other.id, name: other.name }));
    const users = [...nesting, ...(await references.find(workspaceId, 'segment', [id]))];
    if (users.length > 0) throw referenced('segment', users);
    await segments.remove(workspaceId, id, session);
    return {};
  });
}
