import { etagOf } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { refusals } from '../../refusals';
import { toProjectReply } from '../pass/wire';

/** Newest first. */
export async function listProjects(
  { projects }: Pick<PassDeps, 'projects'>,
  { workspace_id }: api.WorkspaceRequest,
): Promise<api.ProjectList> {
  return { projects: (await projects.list(workspace_id)).map(toProjectReply) };
}

export async function getProject(
  { projects }: Pick<PassDeps, 'projects'>,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Project> {
  const project = await projects.find(workspace_id, id);
  if (!project) throw refusals.projectNotFound();
  return { ...toProjectReply(project), etag: etagOf(project) };
}

/** Those of the named projects that the workspace has. */
export async function getProjects(
  { projects }: Pick<PassDeps, 'projects'>,
  { workspace_id, ids }: api.IdsRequest,
): Promise<api.ProjectList> {
  return { projects: (await projects.findMany(workspace_id, ids)).map(toProjectReply) };
}

export async function getProjectStats(
  deps: Pick<PassDeps, 'projects' | 'templates' | 'passes'>,
  request: { workspace_id: string; id: string },
): Promise<api.ProjectStats> {
  const { workspace_id: workspaceId, id } = request;
  await getProject(deps, request);
  const [templateCount, passCounts] = await Promise.all([
    deps.templates.countOfProject(workspaceId, id),
    deps.passes.count(workspaceId, { projectId: id }),
  ]);
  return { template_count: templateCount, pass_count: passCounts.total };
}

export async function locateProject(
  { projects }: Pick<PassDeps, 'projects'>,
  { id }: api.RowRequest,
): Promise<api.RowLocation> {
  const workspaceId = await projects.workspaceOf(id);
  if (workspaceId === null) throw refusals.projectNotFound();
  return { workspace_id: workspaceId };
}
