import { currentContext, newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { common, identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { CloneRow } from '../store/workspace-clones';
import { requireRoomForSandbox } from './create-workspace';

type CloneDeps = Pick<
  Deps,
  'clock' | 'config' | 'connection' | 'sandboxClocks' | 'workspaceClones' | 'workspaces'
>;

/** Begins to make a workspace like this one, which will be the caller's; nothing of it is to be seen before it is ready. */
export async function cloneWorkspace(
  deps: CloneDeps,
  { workspace_id, user_id, name, members, sandbox }: identity.CloneWorkspaceRequest,
): Promise<identity.WorkspaceClone> {
  const { clock, connection, workspaceClones, workspaces } = deps;
  const { actor, requestId } = currentContext();
  return commitOnce(connection, async (session) => {
    const source = await workspaces.find(workspace_id, session);
    if (!source) throw refusals.notAMember();
    const isSandbox = sandbox ?? source.sandbox === true;
    if (isSandbox) await requireRoomForSandbox(deps, user_id, session);
    const row: CloneRow = {
      _id: newId(),
      workspace_id,
      name,
      user_id,
      actor,
      request_id: requestId,
      sandbox: isSandbox,
      members,
      members_copied: 0,
      cursor: null,
      status: 'copying',
      problem: null,
      created_at: clock.now(),
      ended_at: null,
    };
    await workspaceClones.insert(row, session);
    return toClone(row);
  });
}

/** How far a clone of this workspace has come, or that it was there and is no more. */
export async function getClone(
  { workspaceClones, workspaces }: Pick<Deps, 'workspaceClones' | 'workspaces'>,
  { workspace_id, id }: common.Id,
): Promise<identity.WorkspaceClone> {
  const row = await workspaceClones.find(workspace_id, id);
  if (!row) throw refusals.cloneNotFound();
  // It became ready in the transaction that made its workspace: without one it was deleted since.
  const isDeleted = row.status === 'ready' && !(await workspaces.find(id));
  return isDeleted ? { ...toClone(row), status: 'deleted' } : toClone(row);
}

const toClone = (row: CloneRow): identity.WorkspaceClone => ({
  id: row._id,
  source_id: row.workspace_id,
  name: row.name,
  status: row.status,
  problem: row.problem,
  members: row.members,
  members_copied: row.members_copied,
  sandbox: row.sandbox,
  date_created: row.created_at.toISOString(),
});
