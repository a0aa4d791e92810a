import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { viewRedemptions } from './view-redemptions';

export async function getRedemption(
  deps: Pick<Deps, 'redemptions' | 'coupons' | 'rewards'>,
  { workspace_id: workspaceId, id }: { workspace_id: string; id: string },
): Promise<api.Redemption> {
  const redemption = await deps.redemptions.find(workspaceId, id);
  if (!redemption) throw refusals.redemptionNotFound();
  return (await viewRedemptions(deps, workspaceId, [redemption]))[0]!;
}
