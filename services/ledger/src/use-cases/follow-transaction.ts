import { isAmount, toDecimal, toUnits, unitsOf } from '@laurel/amount';
import { Refusal } from '@laurel/errors';
import type { CloudEvent, TransactionRecorded } from '@laurel/events';
import type { Deps } from '../deps';
import { refundPurchase } from './refund-purchase';

/** Where a refund event says which purchase it refunds, and an event which purchase it is. */
const PURCHASE_KEYS = [
  'source_id',
  'purchase_event_id',
  'purchase_id',
  'purchase_external_id',
  'original_event_id',
  'original_external_id',
  'original_transaction_id',
  'refund_of',
  'refunded_event_id',
  'transaction_id',
  'order_id',
];

type Transaction = CloudEvent<string, TransactionRecorded>;

/** Remembers a purchase, so that a refund of it can be taken in proportion. */
export async function notePurchase(deps: Deps, { data, workspaceid }: Transaction): Promise<void> {
  const names = [data.id, data.external_id, ...namesIn(data.metadata)];
  await deps.purchases.note({
    _id: data.id,
    workspace_id: workspaceid!,
    names: names.filter((name) => name !== null),
    amount: isAmount(data.amount) ? toUnits(data.amount) : 0,
  });
}

/**
 * A refund event takes back what its purchase earned (part 3, section 16), without anybody asking: the
 * purchase is the one that a member of the refund's metadata names, by its event id, external_id or the
 * source_id of its earns; the share is the refund's amount of the purchase's, or metadata.purchase_amount.
 */
export async function followRefund(deps: Deps, { data, workspaceid }: Transaction): Promise<void> {
  const workspaceId = workspaceid!;
  const named = namesIn(data.metadata);
  if (named.length === 0) return;
  const purchases = await deps.purchases.findNamed(workspaceId, named);
  const purchaseAmount = amountOf(data, purchases);
  if (purchaseAmount === null || data.amount <= 0) return;
  const sources = new Set([...named, ...purchases.flatMap(({ names }) => names)]);
  for (const sourceId of sources) {
    try {
      await refundPurchase(deps, {
        workspace_id: workspaceId,
        source_id: sourceId,
        amount: Math.min(data.amount, purchaseAmount),
        purchase_amount: purchaseAmount,
        operation_id: `event:${data.id}:${sourceId}`,
      });
    } catch (error) {
      // No earn has this source, or all of the purchase was refunded before: nothing is left to take.
      if (!(error instanceof Refusal) || error.httpStatus >= 500) throw error;
    }
  }
}

function namesIn(metadata: Record<string, unknown>): string[] {
  return PURCHASE_KEYS.map((key) => metadata[key]).filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
}

function amountOf(
  { metadata }: TransactionRecorded,
  purchases: readonly { amount: number }[],
): number | null {
  const said = metadata.purchase_amount;
  if (typeof said === 'number' && isAmount(said) && said > 0) return said;
  const [purchase] = purchases;
  return purchase && purchase.amount > 0 ? toDecimal(unitsOf(purchase.amount)) : null;
}
