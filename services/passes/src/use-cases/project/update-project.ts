import type { JsonObject } from '@laurel/errors';
import { commitOnce, etagOf, requireUnchanged } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { changedProject } from '../../domain/project/project';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { toProjectReply } from '../pass/replies';

/** Changes a project; two changes at once are applied one after the other. */
export async function updateProject(
  deps: Pick<PassDeps, 'connection' | 'projects' | 'clock'>,
  { workspace_id: workspaceId, id, name, extra = {} }: api.UpdateProjectRequest,
): Promise<api.Project> {
  const { userId } = authorship(deps);
  return commitOnce(deps.connection, async (session) => {
    const project = await deps.projects.find(workspaceId, id, session);
    if (!project) throw refusals.projectNotFound();
    requireUnchanged({ ...project, changedAt: project.changed_at });
    const changed = {
      ...changedProject(project, { name, extra: extra as JsonObject }, userId),
      changed_at: deps.clock.now(),
    };
    await deps.projects.replace(changed, session);
    return { ...toProjectReply(changed), etag: etagOf({ id, revision: changed.revision + 1 }) };
  });
}
