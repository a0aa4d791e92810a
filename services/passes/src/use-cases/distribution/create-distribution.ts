import { newId } from '@laurel/lifecycle';
import { commitOnce, type Session } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { type Distribution, newDistribution } from '../../domain/distribution/distribution';
import { refusals } from '../../refusals';
import { authorship } from '../pass/author';
import { underKey } from '../pass/keys';
import { updatedEvent } from './distribution-events';
import { distributionFieldsOf } from './distribution-fields';
import { toDistributionReply } from './wire';

type Deps = Pick<
  EnrollmentDeps,
  'connection' | 'projects' | 'templates' | 'distributions' | 'outbox' | 'clock' | 'publicUrl'
>;

/** Creates a distribution. Its template must be of its project, and both of the workspace. */
export async function createDistribution(
  deps: Deps,
  request: api.CreateDistributionRequest,
): Promise<api.Distribution> {
  const { workspace_id: workspaceId, name, project_id, pass_template_id } = request;
  const fields = { ...distributionFieldsOf(request), name, project_id, pass_template_id };
  const distribution = newDistribution({ id: newId(), workspaceId }, fields, authorship(deps));
  return commitOnce(deps.connection, async (session) => {
    await requireTemplateOfProject(deps, distribution, session);
    await underKey(deps.distributions.insert(distribution, session));
    await deps.outbox.append([updatedEvent(deps.publicUrl, distribution)], session);
    return toDistributionReply(deps.publicUrl, distribution);
  });
}

/** Also goes through a door of the template, so that it is not deleted at this moment. */
export async function requireTemplateOfProject(
  { projects, templates }: Pick<EnrollmentDeps, 'projects' | 'templates'>,
  {
    workspace_id: workspaceId,
    project_id,
    pass_template_id,
  }: Pick<Distribution, 'workspace_id' | 'project_id' | 'pass_template_id'>,
  session: Session,
): Promise<void> {
  const project = await projects.find(workspaceId, project_id, session);
  const template = await templates.find(workspaceId, pass_template_id, session);
  if (!project) throw refusals.unknownProject({ field: 'project_id' });
  if (!template) throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
  if (template.project_id !== project_id)
    throw refusals.templateOfOtherProject({ field: 'pass_template_id' });
  if (!(await templates.enter(workspaceId, pass_template_id, session)))
    throw refusals.unknownPassTemplate({ field: 'pass_template_id' });
}
