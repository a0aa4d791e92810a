import { unitsOf } from '@laurel/amount';
import type { CloudEvent, PointsEarned } from '@laurel/events';
import type { Deps } from '../deps';
import { shareOf } from '../domain/refund-shares';
import type { EntryDocument } from '../store/documents';
import { type PurchaseRefundsDocument, WHOLE } from '../store/purchase-refunds';
import { carryOut, wholeIfNearly } from './refund-purchase';
import { walletsOfPerson } from './wallets-of-person';

/** A rule may reward a purchase after its refund, having been away or behind: then the refund's share goes back at once. */
export async function followEarn(
  deps: Deps,
  { data: { entry }, workspaceid }: CloudEvent<string, PointsEarned>,
): Promise<void> {
  const { id, source_type: sourceType, source_id: saleId } = entry;
  if (sourceType !== 'transaction' || !saleId) return;
  if ((await deps.refunds.ofSale(workspaceid!, saleId)).length === 0) return;
  const earn = await deps.entries.find(workspaceid!, id);
  if (earn) await takeLateEarn(deps, earn);
}

/**
 * Takes back of an earn its share of every refund of its sale that was written down without it. Only sales that it
 * names by their event count: an order's number may come again with another sale.
 */
export async function takeLateEarn(deps: Deps, earn: EntryDocument): Promise<void> {
  for (const purchase of await deps.refunds.ofSale(earn.workspace_id, earn.source_id!)) {
    const isLate = purchase.refunds.some(
      ({ done, steps }) => !done || !steps.some(({ entry_id }) => entry_id === earn._id),
    );
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
    const { id, ratio, steps, done } = refund;
    const known = steps.some(({ entry_id }) => entry_id === earn._id);
    const due = shareOf(unitsOf(earn.amount), before, wholeIfNearly(before, ratio), WHOLE);
    const all = known ? steps : [...steps, { entry_id: earn._id, due }];
    if (!known) await deps.refunds.addStep(purchase, id, { entry_id: earn._id, due });
    if (!known || !done) await carryOut(deps, purchase, { ...refund, steps: all, done: false });
    before = Math.min(WHOLE, before + ratio);
  }
}

/** Whether an earn is of whoever the refunds are of, also where one was merged into the other since. */
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
