import type { Json } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { viewRedemptions } from './view-redemptions';

/** Everything held on a person here: the redemptions, with their coupons (right of access). */
export async function exportClient(
  deps: Pick<Deps, 'redemptions' | 'coupons' | 'rewards'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const redemptions = await deps.redemptions.allOf(workspaceId, clientId);
  const views = await viewRedemptions(deps, workspaceId, redemptions);
  return { data: { redemptions: views as unknown as Json } };
}
