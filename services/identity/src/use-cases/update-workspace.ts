import { createEvent } from '@laurel/events';
import { requireUnchanged, unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { versionOfPart } from '../store/workspaces';
import { toVersionedWorkspaceReply } from './wire';
import { workspaceChanged } from './workspace-events';

export async function updateWorkspace(
  { clock, connection, outbox, workspaces }: Deps,
  { workspace_id, name, slug }: identity.UpdateWorkspaceRequest,
): Promise<identity.Workspace> {
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
  };
  return unitOfWork(connection, async (session) => {
    const before = await workspaces.find(workspace_id, session);
    if (!before) throw refusals.notAMember();
    requireUnchanged(versionOfPart(before, 'settings'));
    if (Object.keys(changes).length === 0) return toVersionedWorkspaceReply(before);
    const row = await workspaces.rename(before, { changes, now: clock.now() }, session);
    const event = createEvent('identity.workspace_updated', {
      workspaceId: workspace_id,
      subject: workspace_id,
      data: workspaceChanged(row),
    });
    await outbox.append([event], session);
    return toVersionedWorkspaceReply(row);
  });
}
