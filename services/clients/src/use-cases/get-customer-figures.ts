import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Customers as an overview shows them, from what is kept. */
export async function getCustomerFigures(
  { activity, clients, dailySignups }: Pick<Deps, 'activity' | 'clients' | 'dailySignups'>,
  { workspace_id: workspaceId, day_starts, until, active_spans }: api.CustomerFiguresRequest,
): Promise<api.CustomerFigures> {
  const [total, signups, active] = await Promise.all([
    clients.countAll(workspaceId),
    dailySignups.of(workspaceId, day_starts, until),
    activity.of(workspaceId, active_spans),
  ]);
  return {
    total,
    new_by_day: signups.map((day) => ({ value: day?.count ?? null })),
    active: active.map((value) => ({ value })),
  };
}
