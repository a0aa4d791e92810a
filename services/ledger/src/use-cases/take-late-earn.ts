import type { EventOf } from '@laurel/events';
import { unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { shareAfter, WHOLE } from '../domain/refund-shares';
import type { EntryDocument } from '../store/documents';
import type { PurchaseRefundsDocument, RefundDocument } from '../store/purchase-refunds';
import { isOfSale } from './asked-refund';
import { takeStep } from './refund-purchase';
import { walletsOfPerson } from './wallets-of-person';

/** A rule may reward a purchase after its refund, having been away or behind: then the refund's share goes back at once. */
export async function followEarn(
  deps: Deps,
  { data: { entry }, workspaceid: workspaceId }: EventOf<'loyalty.points_earned'>,
): Promise<void> {
  const { id, source_type: sourceType, source_id: saleId } = entry;
  if (sourceType !== 'transaction' || !saleId) return;
  if ((await deps.refunds.ofSale(workspaceId, saleId)).length === 0) return;
  const earn = await deps.entries.find(workspaceId, id);
  if (earn) await takeLateEarn(deps, earn);
}

/**
 * Takes back of an earn its share of every refund of its sale that was written down without it. Only sales that it
 * names by their event count: an order's number may come again with another sale.
 */
export async function takeLateEarn(deps: Deps, earn: EntryDocument): Promise<void> {
  for (const purchase of await deps.refunds.ofSale(earn.workspace_id, earn.source_id!)) {
    const isLate = purchase.refunds.some((refund) => lacks({ row: purchase, refund }, earn));
    if (isLate && (await isOfOnePerson(deps, purchase, earn))) await takeOf(deps, purchase, earn);
  }
}

async function takeOf(
  deps: Deps,
  purchase: PurchaseRefundsDocument,
  earn: EntryDocument,
): Promise<void> {
  let before = 0;
  for (const refund of purchase.refunds) {
    const { id, ratio, steps } = refund;
    if (lacks({ row: purchase, refund }, earn)) {
      const due = shareAfter(before, unitsOf(earn.amount), ratio);
      const step = { entry_id: earn._id, due };
      await deps.refunds.addStep(purchase, id, step);
      await takeStep(deps, { purchase, refund: { ...refund, done: false } }, step);
      // Where this ends in between, the sweeper finds a refund with a step that is not done.
      await deps.refunds.finish(purchase, { id, steps: [...steps, step] });
    }
    before = Math.min(WHOLE, before + ratio);
  }
}

/** Whether a refund of what an earn was given for was written down without it. */
const lacks = (
  of: { row: PurchaseRefundsDocument; refund: RefundDocument },
  { _id, source_id: saleId }: EntryDocument,
): boolean => isOfSale(of, saleId!) && of.refund.steps.every(({ entry_id }) => entry_id !== _id);

/** Whether an earn and the refunds are of one person, also where one was merged into the other since. */
async function isOfOnePerson(
  deps: Deps,
  { sales }: PurchaseRefundsDocument,
  earn: EntryDocument,
): Promise<boolean> {
  const { workspace_id: workspaceId, client_id: clientId, wallet_id: walletId } = earn;
  if (sales!.client_id === clientId) return true;
  const theirs = await walletsOfPerson(deps, workspaceId, sales!.client_id);
  if (theirs.includes(walletId)) return true;
  const own = await walletsOfPerson(deps, workspaceId, clientId);
  return theirs.some((wallet) => own.includes(wallet));
}
