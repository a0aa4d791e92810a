import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';

export interface DistributionNews {
  id: string;
  publicUrl: string | null;
  deleted: boolean;
  asOf: Date;
}

/** Takes over where a distribution's page is; a program that pointed at a deleted one points at none. */
export async function recordDistribution(
  { distributions, programs }: Pick<Deps, 'distributions' | 'programs'>,
  workspaceId: string,
  { asOf, ...distribution }: DistributionNews,
  session: Session,
): Promise<void> {
  await distributions.put(workspaceId, distribution, asOf, session);
  if (distribution.deleted) {
    await programs.dropDistribution(workspaceId, distribution.id, session);
  }
}
