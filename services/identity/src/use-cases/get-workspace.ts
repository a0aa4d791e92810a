import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { rolesOf } from '../domain/roles';
import { refusals } from '../refusals';
import type { WorkspaceRow } from '../store/workspaces';
import { toSettingsReply, toVersionedWorkspaceReply, toWorkspaceReply } from './wire';

export async function getWorkspace(
  deps: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.Workspace> {
  return toVersionedWorkspaceReply(await existing(deps, workspace_id));
}

/** For surfaces that know a workspace by its slug alone. */
export async function findWorkspaceBySlug(
  { workspaces }: Deps,
  { slug }: identity.SlugRequest,
): Promise<identity.Workspace> {
  const row = await workspaces.findBySlug(slug);
  if (!row) throw platform.recordNotFound({ message: 'there is no such workspace' });
  return toWorkspaceReply(row);
}

export async function getSettings(
  deps: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.Settings> {
  return toSettingsReply(await existing(deps, workspace_id));
}

export async function listRoles(
  deps: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.RoleList> {
  await existing(deps, workspace_id);
  return { data: rolesOf(workspace_id) };
}

async function existing({ workspaces }: Deps, workspaceId: string): Promise<WorkspaceRow> {
  const row = await workspaces.find(workspaceId);
  if (!row) throw refusals.notAMember();
  return row;
}
