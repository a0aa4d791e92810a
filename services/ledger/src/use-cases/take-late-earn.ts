import type { EventOf } from '@laurel/events';
import { add, larger, subtract, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { isWhole, shareAfter, WHOLE } from '../domain/refund-shares';
import type { EntryDocument } from '../store/documents';
import type { PurchaseRefundsDocument, RefundDocument } from '../store/purchase-refunds';
import { isOfSale } from './asked-refund';
import { isOnePerson } from './is-one-person';
import { takeStep } from './take-step';

/** A rule may reward a purchase after its refund, having been away or behind: then the refund's share goes back at once. */
export async function followEarn(
  deps: Deps,
  { data: { entry }, workspaceid: workspaceId }: EventOf<'loyalty.points_earned'>,
): Promise<void> {
  const { id, source_type: sourceType, source_id: saleId } = entry;
  if (sourceType !== 'transaction' || !saleId) return;
  const refunded = await deps.refunds.bearing(workspaceId, [saleId]);
  if (refunded.length === 0) return;
  const earn = await deps.entries.find(workspaceId, id);
  if (earn) await takeLateEarn(deps, refunded, earn);
}

/**
 * The same for everything that was earned for some sales: earns between the look at them and the refund on record came from
 * services that did not know of the refund. Where calls alone name a sale, it may be a number that very many have, and only
 * what rules gave under it is looked at.
 */
export async function takeLateEarns(
  deps: Deps,
  workspaceId: string,
  saleIds: readonly string[],
): Promise<void> {
  let refunded = await deps.refunds.bearing(workspaceId, saleIds);
  if (refunded.length === 0) return;
  const byRule = refunded.every(({ sales }) => !sales);
  for (const earn of await deps.entries.findPurchaseEarns(workspaceId, saleIds, { byRule }))
    if (await takeLateEarn(deps, refunded, earn))
      refunded = await deps.refunds.bearing(workspaceId, saleIds);
}

/**
 * Takes back of an earn its share of every refund of its sale that was written down without it; whether there was any. Only
 * sales that it names by their event count: an order's number may come again with another sale. Calls may be about such a
 * number, so that of them only what a rule gives counts, which names no sale otherwise.
 */
async function takeLateEarn(
  deps: Deps,
  refunded: readonly PurchaseRefundsDocument[],
  earn: EntryDocument,
): Promise<boolean> {
  const saleId = earn.source_id!;
  let isAny = false;
  for (const purchase of refunded) {
    if (purchase.source_id !== saleId && !purchase.sales?.ids.includes(saleId)) continue;
    const late = await lateFor(deps, purchase, earn);
    if (!late.some(({ lacks }) => lacks)) continue;
    await takeOf(deps, purchase, { earn, late });
    isAny = true;
  }
  return isAny;
}

interface Late {
  refund: RefundDocument;
  /** Whether it was written down without the earn; else it is only part of what came before. */
  lacks: boolean;
}

/** The refunds of a row that an earn has its share in, in their order. */
async function lateFor(
  deps: Deps,
  purchase: PurchaseRefundsDocument,
  earn: EntryDocument,
): Promise<Late[]> {
  const { refunds, sales } = purchase;
  const isKnown = ({ steps }: RefundDocument) =>
    steps.some(({ entry_id }) => entry_id === earn._id);
  if (sales) {
    let before = 0;
    const late = refunds.map((refund) => {
      // With the last of a group of sales all of each is refunded, whichever that was of.
      const isOf = isLast(before, refund) || isOfSale({ row: purchase, refund }, earn.source_id!);
      before = Math.min(WHOLE, before + refund.ratio);
      return { refund, lacks: isOf && !isKnown(refund) };
    });
    const isAny = late.some(({ lacks }) => lacks);
    return isAny && (await isOnePerson(deps, sales.client_id, earn)) ? late : [];
  }
  if (!isByRule(earn)) return [];
  const late: Late[] = [];
  for (const refund of refunds) {
    const { client_id: clientId } = refund;
    const isOwn =
      isKnown(refund) || clientId === undefined || (await isOnePerson(deps, clientId, earn));
    if (isOwn) late.push({ refund, lacks: !isKnown(refund) });
  }
  return late;
}

const isLast = (before: number, { ratio }: RefundDocument): boolean =>
  ratio > 0 && isWhole(before, ratio);

/** Whether a rule gave it, and not a caller of the API. */
const isByRule = ({ cause }: EntryDocument): boolean => cause.chain.length > 0;

async function takeOf(
  deps: Deps,
  purchase: PurchaseRefundsDocument,
  { earn, late }: { earn: EntryDocument; late: readonly Late[] },
): Promise<void> {
  const earned = unitsOf(earn.amount);
  let before = 0;
  let dueBefore: Units = ZERO;
  for (const { refund, lacks } of late) {
    const { id, ratio, steps, done } = refund;
    if (lacks) {
      const share = shareAfter(before, earned, ratio);
      const rest = isLast(before, refund) ? subtract(earned, dueBefore) : ZERO;
      const due = larger(share, rest);
      const step = { entry_id: earn._id, due, ...(purchase.sales ? {} : { late: true as const }) };
      await deps.refunds.addStep(purchase, refund, step);
      await takeStep(deps, { purchase, refund: { ...refund, done: false } }, step);
      // Where this ends in between, the sweeper finds a step that is not through, and leaves those alone that are. Steps of a
      // refund that was not done are in the hands of another still.
      await deps.refunds.finish(purchase, { id, steps: done ? [...steps, step] : [step] });
      dueBefore = add(dueBefore, due);
    } else
      for (const step of steps)
        if (step.entry_id === earn._id) dueBefore = add(dueBefore, unitsOf(step.due));
    before = Math.min(WHOLE, before + ratio);
  }
}
