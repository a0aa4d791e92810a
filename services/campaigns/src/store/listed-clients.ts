import type { CampaignStatus } from '@laurel/contract';
import type { Merge, Unit } from '@laurel/mongo';
import type { CampaignDocument } from './mapping';

/**
 * Of a campaign whose audience is being fixed the change also keeps the page from being written that was decided on without
 * the merge.
 */
export async function followMerge(
  unit: Unit<CampaignDocument>,
  { source, target }: Merge,
): Promise<void> {
  const beingFixed = { status: 'active' as const, audience: 'open' as const };
  const heir = { $addToSet: { heirs: target } } as object;
  await unit.rows.updateMany(beingFixed, heir, { session: unit.session });
  await replaceListed(unit, source, target);
}

/** In campaigns that have not run, one client takes the place of another, or just leaves. */
export async function replaceListed(
  { rows, session }: Unit<CampaignDocument>,
  clientId: string,
  target: string | null,
): Promise<void> {
  const filter = {
    status: { $in: ['draft', 'scheduled'] as CampaignStatus[] },
    manual_client_ids: clientId,
  };
  if (target !== null) {
    const added = { $addToSet: { manual_client_ids: target }, $inc: { revision: 1 } };
    await rows.updateMany(filter, added as object, { session });
  }
  const taken = { $pull: { manual_client_ids: clientId }, $inc: { revision: 1 } };
  await rows.updateMany(filter, taken as object, { session });
}
