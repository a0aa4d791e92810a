import { idIn } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { WebhookDeps } from '../deps';

/** Deliveries of webhooks by id. */
export async function search(
  { deliveries }: Pick<WebhookDeps, 'deliveries'>,
  { workspace_id: workspaceId, q, types }: common.SearchRequest,
): Promise<common.HitList> {
  const id = types.includes('delivery') ? idIn(q) : null;
  const delivery = id === null ? null : await deliveries.byId(workspaceId, id);
  if (!delivery) return { hits: [] };
  const { _id, event_type, status } = delivery;
  return {
    hits: [{ type: 'delivery', id: _id, title: event_type, subtitle: status, matched: 'id' }],
  };
}
