import { invalidField } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/**
 * What a refund would take back of what its sales earned, without any rule: which sales are meant is asked of the trail,
 * what is left of their points of the ledger. Null where the event is no refund, or names no sale.
 */
export async function foreseeRefund(
  { clients, ledger }: Pick<Deps, 'clients' | 'ledger'>,
  { workspace_id, client_id, event }: api.SimulateRequest,
): Promise<api.SimulatedRefund | null> {
  const {
    trigger_type: type,
    event_type,
    amount,
    currency,
    metadata,
    original_external_id,
  } = event!;
  const isRefund = type === 'transaction' && event_type === 'refund';
  if (!isRefund && original_external_id !== undefined)
    throw invalidField('event.original_external_id', 'only a refund names the sale it gives back');
  if (!isRefund || !amount || amount < 0) return null;
  const whom = { workspace_id, client_id };
  const link = await clients.QuoteRefundLink({
    ...whom,
    amount,
    metadata: metadata ?? {},
    ...(currency ? { currency } : {}),
    ...(original_external_id === undefined ? {} : { original_external_id }),
  });
  const { state = null, left, ...sales } = link;
  if (state === null) return null;
  const rest = left === undefined ? {} : { left };
  if (state !== 'linked') return { link: state, taken: [], ...rest };
  const { taken } = await ledger.QuoteRefund({ ...whom, ...sales, refunded: amount });
  return { link: state, taken, ...rest };
}
