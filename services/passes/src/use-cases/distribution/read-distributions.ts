import { etagOf } from '@laurel/mongo';
import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { refusals } from '../../refusals';
import { toDistributionReply } from './wire';

type Deps = Pick<EnrollmentDeps, 'distributions' | 'publicUrl'>;

/** Newest first; those of one project where it is named. */
export async function listDistributions(
  { distributions, projects, publicUrl }: Deps & Pick<EnrollmentDeps, 'projects'>,
  { workspace_id, project_id, key }: api.ListDistributionsRequest,
): Promise<api.DistributionList> {
  if (project_id !== undefined && !(await projects.find(workspace_id, project_id)))
    throw refusals.unknownProject({ field: 'project_id' });
  const found = await distributions.list(workspace_id, { projectId: project_id, key });
  return { distributions: found.map((each) => toDistributionReply(publicUrl, each)) };
}

export async function getDistribution(
  { distributions, publicUrl }: Deps,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Distribution> {
  const distribution = await distributions.find(workspace_id, id);
  if (!distribution) throw refusals.distributionNotFound();
  return { ...toDistributionReply(publicUrl, distribution), etag: etagOf(distribution) };
}
