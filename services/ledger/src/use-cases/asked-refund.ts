import { invalidField } from '@laurel/errors';
import { refuseAnotherRequest } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import type { Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { WHOLE, withinRest } from '../domain/refund-shares';
import { refusals } from '../refusals';
import type { EntryDocument } from '../store/documents';
import type { PurchaseRefundsDocument, RefundDocument } from '../store/purchase-refunds';
import { atHome } from './at-home';
import { operationIdOf, positiveUnits } from './operation';
import { type StepsOf, stepsOfEach } from './share-refund';

export interface Asked {
  workspaceId: string;
  /** What refunds are added up under. */
  sourceId: string;
  /** Of refund events: what names of which sales it is about. */
  sales?: NonNullable<PurchaseRefundsDocument['sales']> & {
    names: readonly string[];
    shared: boolean;
  };
  earns: readonly EntryDocument[];
  operationId: string;
  externalId: string | null;
  /** In 1 / WHOLE. */
  ratio: number;
  /** The field to refuse a share by that is more than what is left; null: take what is left. */
  ratioField: string | null;
  stepsOf: StepsOf;
}

/** What a request asks for, and the earns that it is about; refused where the purchase earned nothing. */
export async function askedRefund(
  deps: Pick<Deps, 'entries' | 'heads'>,
  request: ledger.RefundPurchaseRequest,
): Promise<Asked> {
  const { workspace_id: workspaceId, source_id: sourceId, external_id: externalId } = request;
  const ratio = ratioOf(request);
  const earns = await deps.entries.findPurchaseEarns(workspaceId, [sourceId]);
  if (earns.length === 0) throw refusals.nothingEarned();
  return {
    workspaceId,
    sourceId,
    earns,
    operationId: operationIdOf('refund', request.operation_id),
    externalId: externalId ?? null,
    ratio,
    ratioField: request.ratio === undefined ? 'amount' : 'ratio',
    stepsOf: await stepsOfEach(deps, earns),
  };
}

/** The refunded part of the purchase as a whole number of 1 / WHOLE. */
function ratioOf(request: ledger.RefundPurchaseRequest): number {
  const { amount, purchase_amount: purchaseAmount, ratio } = request;
  if (ratio !== undefined) {
    if (amount !== undefined || purchaseAmount !== undefined)
      throw invalidField('ratio', 'ratio excludes amount and purchase_amount');
    if (!(ratio > 0 && ratio <= 1))
      throw invalidField('ratio', 'ratio must be above 0 and at most 1');
    return Math.max(1, Math.round(ratio * WHOLE));
  }
  if (amount === undefined) throw invalidField('amount', 'amount or ratio must be given');
  if (purchaseAmount === undefined)
    throw invalidField('purchase_amount', 'purchase_amount must be given with amount');
  const refunded = positiveUnits(amount);
  const whole = positiveUnits(purchaseAmount, 'purchase_amount');
  if (refunded > whole)
    throw invalidField('amount', 'amount must not be more than purchase_amount');
  return ratioOfAmounts(refunded, whole);
}

/** The refunded part of what was paid as a whole number of 1 / WHOLE. */
export function ratioOfAmounts(refunded: Units, paid: Units): number {
  return Math.max(1, Number((BigInt(refunded) * BigInt(WHOLE)) / BigInt(paid)));
}

/** The refund that an earlier try has written down; refused where it was of another share, or asked for otherwise. */
export function firstOf(
  purchase: PurchaseRefundsDocument,
  { operationId, externalId, ratio, ratioField }: Asked,
): RefundDocument | undefined {
  const first = purchase.refunds.find(
    (refund) =>
      refund.operation_id === operationId ||
      (externalId !== null && refund.external_id === externalId),
  );
  if (first?.operation_id === operationId) refuseAnotherRequest(operationId, first);
  if (first && ratioField !== null && first.ratio !== ratio)
    throw refusals.otherAmount({ field: 'external_id' });
  return first;
}

/**
 * The share that is asked for, as far as something is left of it; refused where a caller named more, or asks about points
 * that no longer move. Refund events are not refused for that: what they cannot take stays.
 */
export async function shareLeft(
  deps: Pick<Deps, 'entries' | 'heads' | 'refunds' | 'standings' | 'walletTypes'>,
  asked: Asked,
  earlier: Pick<PurchaseRefundsDocument, 'ratio_total'> | null,
): Promise<number> {
  if (!asked.sales) await requireAllOperable(deps, asked);
  const before = (earlier?.ratio_total ?? 0) + (await refundedByEvents(deps, asked));
  const ratio = withinRest(before, asked.ratio);
  if (ratio !== asked.ratio && asked.ratioField !== null)
    throw refusals.refundTooLarge({ field: asked.ratioField });
  return ratio;
}

/**
 * Refuses to touch points of a wallet type that is switched off, and those of clients whose points no longer move where
 * there are no others: somebody else's sale may have the same number.
 */
async function requireAllOperable(
  deps: Pick<Deps, 'entries' | 'heads' | 'standings' | 'walletTypes'>,
  { workspaceId, earns }: Asked,
): Promise<void> {
  const owners = await Promise.all(
    earns.map((earn) => atHome(deps, earn, async ({ clientId }) => clientId)),
  );
  const standings = await Promise.all(
    [...new Set(owners)].map((owner) => deps.standings.of(workspaceId, owner)),
  );
  if (standings.every((standing) => standing === 'anonymized'))
    throw refusals.clientAnonymized({ field: 'source_id' });
  const types = await deps.walletTypes.list(workspaceId);
  const off = types.filter(({ active }) => !active).map(({ _id }) => _id);
  if (earns.some(({ wallet_type_id: type }) => off.includes(type)))
    throw refusals.walletTypeInactive({ field: 'source_id' });
}

/**
 * What refund events took back of the same earns: they and calls count as one (part 3, section 16). An order's number may
 * have come again with another sale since: what is left of any of its earns may be asked for.
 */
async function refundedByEvents(
  { refunds }: Pick<Deps, 'refunds'>,
  { workspaceId, sourceId, sales, earns }: Asked,
): Promise<number> {
  if (sales) return 0;
  const ids = earns.map(({ _id }) => _id);
  const rows = await refunds.ofEarns(workspaceId, { ids, saleId: sourceId });
  const all = rows.flatMap((row) =>
    // A rule's earn that comes after the refund of its sale has no step there yet.
    row.refunds.map((refund) => ({ ...refund, isOfSale: isOfSale({ row, refund }, sourceId) })),
  );
  const ofEach = ids.map((id) =>
    all
      .filter(({ isOfSale, steps }) => isOfSale || steps.some(({ entry_id }) => entry_id === id))
      .reduce((sum, { ratio }) => sum + ratio, 0),
  );
  return Math.min(...ofEach);
}

/** Whether a refund by an event is of all that a sale earned under its own id, and not just of what it earned with others. */
export const isOfSale = (
  { row, refund }: { row: PurchaseRefundsDocument; refund: RefundDocument },
  saleId: string,
): boolean => !refund.shared && (row.sales?.ids.includes(saleId) ?? false);
