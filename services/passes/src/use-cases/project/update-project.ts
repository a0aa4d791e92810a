import type { JsonObject } from '@laurel/errors';
import { commitOnce, etagOf, requireUnchanged } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { changedProject } from '../../domain/project/project';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { keyGiven, underKey } from '../pass/keys';
import { toProjectReply } from '../pass/wire';

/** Changes a project; two changes at once are applied one after the other. */
export async function updateProject(
  deps: Pick<PassDeps, 'connection' | 'projects' | 'clock'>,
  { workspace_id: workspaceId, id, key, name, extra = {} }: api.UpdateProjectRequest,
): Promise<api.Project> {
  const { userId } = authorship(deps);
  return commitOnce(deps.connection, async (session) => {
    const project = await deps.projects.find(workspaceId, id, session);
    if (!project) throw refusals.projectNotFound();
    requireUnchanged({ ...project, changedAt: project.changed_at });
    const change = { key: keyGiven(project.key, key), name, extra: extra as JsonObject };
    const changed = {
      ...changedProject(project, change, userId),
      changed_at: deps.clock.now(),
    };
    await underKey(deps.projects.replace(changed, session));
    return { ...toProjectReply(changed), etag: etagOf({ id, revision: changed.revision + 1 }) };
  });
}
