import { invalidField, type Refusal } from '@laurel/errors';
import { groupBy } from '@laurel/lifecycle';
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
import { type StepsOf, sharesBefore, stepsOfEach, writtenBy } from './share-refund';
import { walletsOfPerson } from './wallets-of-person';
import { whoIsNow } from './who-is-now';

export interface Asked {
  workspaceId: string;
  /** What refunds are added up under. */
  sourceId: string;
  /** Of a call that names one: the client whose sales alone are meant. */
  clientId: string | null;
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
  /** Of calls: refuses those about more earns than one refund looks at, of which `earns` is only a part then. */
  requireFew?: () => void;
  /** Of calls: refuses those about points that no longer move; looked up once, however often it is asked. */
  requireOperable?: () => Promise<void>;
}

type Needs = Pick<Deps, 'entries' | 'heads' | 'standings' | 'walletTypes'>;

/**
 * What a request asks for, and the earns that it is about; refused where the purchase earned nothing, or no client is. Whether
 * these are too many is asked of one that is no repeat: what was done is answered whatever was earned under the name since.
 */
export async function askedRefund(
  deps: Needs,
  request: ledger.RefundPurchaseRequest,
): Promise<Asked> {
  const { workspace_id: workspaceId, source_id: sourceId, external_id: externalId } = request;
  const ratio = ratioOf(request);
  const earns = await earnsMeant(deps, request);
  if (earns.length === 0) throw refusals.nothingEarned();
  const isTooMany = earns.length > EARNS_MAX;
  let looked: Promise<void> | undefined;
  return {
    workspaceId,
    sourceId,
    clientId: request.client_id ?? null,
    earns,
    operationId: operationIdOf('refund', request.operation_id),
    externalId: externalId ?? null,
    ratio,
    ratioField: request.ratio === undefined ? 'amount' : 'ratio',
    stepsOf: await stepsOfEach(deps, isTooMany ? [] : earns),
    requireFew: () => {
      if (isTooMany) throw tooManyEarns(request);
    },
    requireOperable: () => {
      looked ??= requireSomeOperable(deps, { workspaceId, earns });
      return looked;
    },
  };
}

/**
 * So many earns are looked at and taken back by one refund. No purchase earns as often; a number that is not one sale's, but
 * stands for a campaign, may.
 */
const EARNS_MAX = 500;

const tooManyEarns = ({ client_id: clientId }: ledger.RefundPurchaseRequest): Refusal =>
  clientId === undefined
    ? refusals.tooManyEarns()
    : refusals.tooManyEarns({
        message: `more than ${EARNS_MAX} earns of the client have this source_id: cancel them one by one`,
      });

/**
 * What was earned under the name, and of more than one refund looks at just so many that it shows; of a client that is named what they were given, and those who are one with them by now.
 * The wallets tell who that is, but of one that never had points: then the clients service is asked.
 */
async function earnsMeant(
  deps: Needs,
  request: ledger.RefundPurchaseRequest,
): Promise<EntryDocument[]> {
  const { workspace_id: workspaceId, source_id: sourceId, client_id: clientId } = request;
  const found = async (within: { walletIds?: readonly string[] }) => {
    const some = { ...within, limit: EARNS_MAX + 1 };
    return deps.entries.findPurchaseEarns(workspaceId, [sourceId], some);
  };
  if (clientId === undefined) return found({});
  const earnsOf = async (person: string) =>
    found({ walletIds: await walletsOfPerson(deps, workspaceId, person) });
  const earns = await earnsOf(await whoIsNow(deps, workspaceId, clientId));
  if (earns.length > 0) return earns;
  const successor = (await deps.standings.successors(workspaceId, [clientId])).get(clientId);
  if (successor !== undefined) return earnsOf(successor);
  if ((await deps.standings.of(workspaceId, clientId)) === null)
    throw refusals.unknownClient({ field: 'client_id' });
  return [];
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
  { refunds }: PurchaseRefundsDocument,
  asked: Asked,
): RefundDocument | undefined {
  const { operationId, ratio, ratioField } = asked;
  const own = refunds.find((refund) => refund.operation_id === operationId);
  if (own) refuseAnotherRequest(operationId, own);
  const first = own ?? firstNamed(refunds, asked);
  if (first && ratioField !== null && first.ratio !== ratio)
    throw refusals.otherAmount({ field: 'external_id' });
  return first;
}

/**
 * The refund of an external_id. Clients may have the same one each; but one who was merged since, or was not named the first
 * time, is the same: then it is of an earn that is asked about now, too.
 */
function firstNamed(
  refunds: readonly RefundDocument[],
  { externalId, clientId, earns }: Asked,
): RefundDocument | undefined {
  if (externalId === null) return undefined;
  const named = refunds.filter(({ external_id }) => external_id === externalId);
  const ids = new Set(earns.map(({ _id }) => _id));
  return (
    named.find(({ client_id }) => (client_id ?? null) === clientId) ??
    named.find(({ steps }) => steps.some(({ entry_id }) => ids.has(entry_id)))
  );
}

/** Refunds of a purchase that are on record; null before the first. */
type Earlier = Pick<PurchaseRefundsDocument, 'ratio_total' | 'refunds'> | null;

/**
 * The share that is asked for, as far as something is left of it; refused where a caller named more, or asks about points
 * that no longer move. Refund events are not refused for that: what they cannot take stays.
 */
export async function shareLeft(
  deps: Pick<Deps, 'entries' | 'refunds'>,
  asked: Asked,
  earlier: Earlier,
): Promise<number> {
  asked.requireFew?.();
  await asked.requireOperable?.();
  const before = asked.sales
    ? (earlier?.ratio_total ?? 0)
    : await refundedBefore(deps, asked, earlier);
  const ratio = withinRest(before, asked.ratio);
  if (ratio !== asked.ratio && asked.ratioField !== null)
    throw refusals.refundTooLarge({ field: asked.ratioField });
  return ratio;
}

/**
 * Refuses a call where none of the points may move: those of wallet types that are switched off, and of clients whose points
 * no longer do. Where there are others it takes those: somebody else's sale may have the same number.
 */
async function requireSomeOperable(
  deps: Needs,
  { workspaceId, earns }: Pick<Asked, 'workspaceId' | 'earns'>,
): Promise<void> {
  const types = await deps.walletTypes.list(workspaceId);
  const active = new Set(types.filter((type) => type.active).map(({ _id }) => _id));
  const isOn = ({ wallet_type_id: type }: EntryDocument) => active.has(type);
  if (await isAnyMovable(deps, earns.filter(isOn))) return;
  const off = earns.filter((earn) => !isOn(earn));
  const refusal = (await isAnyMovable(deps, off))
    ? refusals.walletTypeInactive
    : refusals.clientAnonymized;
  throw refusal({ field: 'source_id' });
}

/** Whether any of some earns is of a client who is not anonymized; the first one ends the search. */
async function isAnyMovable(
  deps: Pick<Deps, 'entries' | 'heads' | 'standings'>,
  earns: readonly EntryDocument[],
): Promise<boolean> {
  const asked = new Set<string>();
  for (const earn of earns) {
    if (asked.has(earn.wallet_id)) continue;
    asked.add(earn.wallet_id);
    const owner = await atHome(deps, earn, async ({ clientId }) => clientId);
    if ((await deps.standings.of(earn.workspace_id, owner)) !== 'anonymized') return true;
  }
  return false;
}

/**
 * How much of each earn was refunded before, of the one of which it was least: an order's number may come again with another
 * sale, and what is left of any of its earns may be asked for. Calls and events count as one (part 3, section 16).
 */
async function refundedBefore(
  deps: Pick<Deps, 'entries' | 'refunds'>,
  asked: Asked,
  earlier: Earlier,
): Promise<number> {
  const calls = sharesBefore(earlier);
  const events = await refundedByEvents(deps, asked);
  return asked.earns.reduce((least, { _id: id }) => {
    return Math.min(least, (calls.get(id) ?? 0) + events.get(id)!);
  }, Number.POSITIVE_INFINITY);
}

/**
 * The share of each earn that refund events were of, or else what they took of it where that is more: what one of several
 * earns could not give the others gave in its place.
 */
async function refundedByEvents(
  { entries, refunds }: Pick<Deps, 'entries' | 'refunds'>,
  { workspaceId, sourceId, earns }: Asked,
): Promise<Map<string, number>> {
  const shares = new Map(earns.map(({ _id }) => [_id, 0]));
  const rows = await refunds.ofEarns(workspaceId, { ids: [...shares.keys()], saleId: sourceId });
  const all = rows.flatMap((row) => row.refunds.map((refund) => ({ row, refund })));
  for (const { row, refund } of all) {
    // A rule's earn that comes after the refund of its sale has no step there yet.
    const ids = isOfSale({ row, refund }, sourceId)
      ? [...shares.keys()]
      : refund.steps.map(({ entry_id }) => entry_id).filter((id) => shares.has(id));
    for (const id of ids) shares.set(id, shares.get(id)! + refund.ratio);
  }
  if (all.length === 0) return shares;
  const isByEvent = writtenBy(all.map(({ refund }) => refund));
  const reversals = await entries.findReversalsOf(workspaceId, [...shares.keys()]);
  const taken = groupBy(reversals.filter(isByEvent), ({ source_id: id }) => id!);
  for (const { _id: id, amount } of earns) {
    const sum = (taken.get(id) ?? []).reduce((before, reversal) => before - reversal.amount, 0);
    const share = Number((BigInt(sum) * BigInt(WHOLE)) / BigInt(amount));
    shares.set(id, Math.max(shares.get(id)!, share));
  }
  return shares;
}

/** Whether a refund by an event is of all that a sale earned under its own id, and not just of what it earned with others. */
export const isOfSale = (
  { row, refund }: { row: PurchaseRefundsDocument; refund: RefundDocument },
  saleId: string,
): boolean => !refund.shared && (row.sales?.ids.includes(saleId) ?? false);
