import type { JsonObject } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { newProject } from '../../domain/project/project';
import { authorship } from '../pass/author';
import { underKey } from '../pass/keys';
import { toProjectReply } from '../pass/wire';

export async function createProject(
  deps: Pick<PassDeps, 'connection' | 'projects' | 'clock'>,
  { workspace_id: workspaceId, key = null, name, extra = {} }: api.CreateProjectRequest,
): Promise<api.Project> {
  const fields = { key, name, extra: extra as JsonObject };
  const project = newProject({ id: newId(), workspaceId }, fields, authorship(deps));
  return commitOnce(deps.connection, async (session) => {
    await underKey(deps.projects.insert(project, session));
    return toProjectReply(project);
  });
}
