import type { passes as api } from '@laurel/rpc';
import type { EnrollmentDeps } from '../../deps';
import { refusals } from '../../refusals';
import { toDistributionReply } from './replies';

type Deps = Pick<EnrollmentDeps, 'distributions' | 'publicUrl'>;

/** Newest first; those of one project where it is named. */
export async function listDistributions(
  { distributions, publicUrl }: Deps,
  { workspace_id, project_id }: api.ListDistributionsRequest,
): Promise<api.DistributionList> {
  const found = await distributions.list(workspace_id, project_id);
  return { distributions: found.map((each) => toDistributionReply(publicUrl, each)) };
}

export async function getDistribution(
  { distributions, publicUrl }: Deps,
  { workspace_id, id }: { workspace_id: string; id: string },
): Promise<api.Distribution> {
  const distribution = await distributions.find(workspace_id, id);
  if (!distribution) throw refusals.distributionNotFound();
  return toDistributionReply(publicUrl, distribution);
}
