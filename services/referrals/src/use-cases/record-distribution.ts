import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { DistributionNews } from '../store/distributions';

/** Takes over where a distribution's page is; a program that pointed at a deleted one points at none. */
export async function recordDistribution(
  { distributions, programs }: Pick<Deps, 'distributions' | 'programs'>,
  { workspaceId, ...news }: DistributionNews & { workspaceId: string },
  session: Session,
): Promise<void> {
  await distributions.put(workspaceId, news, session);
  if (news.deleted) await programs.dropDistribution(workspaceId, news.id, session);
}
