import { commitOnce } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/**
 * Deletes a segment. One that another is made of is refused, because its clients would change unseen. Rewards and
 * rules that name it keep naming it, and nobody is in it any more.
 */
export async function deleteSegment(
  { connection, segments }: Pick<Deps, 'connection' | 'segments'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    await segments.lock(workspaceId, session);
    if (!(await segments.find(workspaceId, id, session))) throw refusals.segmentNotFound();
    const user = await segments.findUser(workspaceId, id, session);
    if (user) {
      throw refusals.segmentNested({
        message: `the segment is nested in the segment ${user.name}`,
      });
    }
    await segments.remove(workspaceId, id, session);
    return {};
  });
}
