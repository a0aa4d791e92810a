import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { EntryDocument } from '../store/documents';
import type { RefundStep } from '../store/purchase-refunds';
import { askedRefund, firstOf, shareLeft } from './asked-refund';
import { byWalletType, foretellSteps } from './quote-refund';
import { cameTo } from './refund-purchase';
import { takeStep } from './take-step';

/**
 * What taking back the earns of a refunded purchase would come to, decided as `refund-purchase.ts` decides it and refused
 * as it would be; of a refund that is on record, what it took. Writes nothing.
 */
export async function quotePurchaseRefund(
  deps: Deps,
  request: ledger.RefundPurchaseRequest,
): Promise<ledger.PurchaseRefundQuote> {
  const asked = await askedRefund(deps, request);
  const { workspaceId, sourceId, earns } = asked;
  const purchase = await deps.refunds.find(workspaceId, sourceId);
  const first = purchase && firstOf(purchase, asked);
  if (purchase && first) {
    const steps = first.steps.filter(({ late }) => !late);
    // Done, so that only what is written is found.
    const refund = { ...first, done: true };
    const found = steps.map((step) => takeStep(deps, { purchase, refund }, step));
    return toQuote((await Promise.all(found)).flat(), steps);
  }
  const ratio = await shareLeft(deps, asked, purchase);
  const steps = asked.stepsOf(purchase, ratio);
  return toQuote(await foretellSteps(deps, { earns, steps }), steps);
}

function toQuote(
  entries: readonly EntryDocument[],
  steps: readonly RefundStep[],
): ledger.PurchaseRefundQuote {
  return {
    taken: byWalletType(entries),
    ...cameTo(
      steps.map(({ due }) => due),
      entries.map(({ amount }) => amount),
    ),
  };
}
