import { mapAtOnce } from '@laurel/lifecycle';
import { add, larger, subtract, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { isActive } from '../domain/lots';
import {
  evenedOut,
  isWhole,
  type OwnLot,
  pendingInstead,
  shareAfter,
  spreadOverLeft,
  WHOLE,
} from '../domain/refund-shares';
import type { EntryDocument } from '../store/documents';
import type {
  PurchaseRefundsDocument,
  RefundDocument,
  RefundStep,
} from '../store/purchase-refunds';
import { atHome } from './at-home';

type Needs = Pick<Deps, 'entries' | 'heads'>;
type Counts = Pick<Deps, 'entries' | 'refunds'>;
/** Refunds of a purchase that are on record; null before the first. */
type Earlier = Pick<PurchaseRefundsDocument, 'ratio_total' | 'refunds'> | null;

/** Earns that are looked for at once: others ask the same store. */
const AT_ONCE = 16;

/** What is due of each earn for a share of a purchase, after its earlier refunds. */
export type StepsOf = (earlier: Earlier, share: number) => RefundStep[];

interface Found {
  earn: EntryDocument;
  lot: OwnLot;
  /** The earns of one group stand in for each other. */
  group: string;
}

/** The steps of a refund that takes its share of each earn, what was cancelled by hand included. */
export async function stepsOfEach(deps: Needs, earns: readonly EntryDocument[]): Promise<StepsOf> {
  const found = await mapAtOnce(earns, AT_ONCE, (earn) => foundAtHome(deps, earn));
  return (earlier, share) => {
    const before = sharesBefore(earlier);
    return grouped(found).flatMap((group) => {
      const owed = group.map(({ earn }) => {
        const own = shareAfter(before.get(earn._id) ?? 0, unitsOf(earn.amount), share);
        return add(own, lent(earn, earlier));
      });
      return stepsFor(group, evenedOut(owed));
    });
  };
}

/**
 * The share of each earn that refunds on record were of, in 1 / WHOLE, by its id. Those that did not know an earn yet do not
 * count: an order's number may come again with another sale.
 */
export function sharesBefore(earlier: Earlier): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { ratio, steps } of earlier?.refunds ?? [])
    for (const { entry_id: id } of steps)
      shares.set(id, Math.min(WHOLE, (shares.get(id) ?? 0) + ratio));
  return shares;
}

interface Together {
  earns: readonly EntryDocument[];
  /** The wallets that the earns have lived in. */
  walletIds: readonly string[];
  /** What is going to be taken of earns by steps that come before these, by their ids. */
  planned?: ReadonlyMap<string, Units>;
}

/**
 * The steps of a refund that takes a share of what its earns credited together, from what is left of each now. Of sales that
 * it refunds to the last nothing stays, whichever of them had earned it, but what an earlier refund should have taken and
 * could not: nothing makes a shortfall good.
 */
export async function stepsOfTogether(
  deps: Needs & Counts,
  { earns, walletIds, planned = new Map() }: Together,
): Promise<StepsOf> {
  const refunds = await refundsByEvents(deps, earns);
  const found = await mapAtOnce(earns, AT_ONCE, async (earn) => {
    const { left: now, reversals } = await stateToEvents(deps, earn, walletIds);
    const left = larger(ZERO, subtract(now, planned.get(earn._id) ?? ZERO));
    return {
      ...(await foundAtHome(deps, earn)),
      // Points, stamps and euros do not add up: what one earn gave back before, no other kind makes good.
      group: earn.wallet_type_id,
      left,
      atLast: larger(ZERO, subtract(left, lacking(refunds, earn, reversals))),
    };
  });
  return (earlier, share) =>
    grouped(found).flatMap((group) => {
      const earned = add(ZERO, ...group.map(({ earn }) => unitsOf(earn.amount)));
      const before = earlier?.ratio_total ?? 0;
      const due = shareAfter(before, earned, share);
      const isLast = share > 0 && isWhole(before, share);
      const last = isLast ? add(ZERO, ...group.map(({ atLast }) => atLast)) : ZERO;
      const left = group.map((one) => one.left);
      return stepsFor(group, spreadOverLeft(larger(due, last), left));
    });
}

/** The refunds by events that took back something of some earns, or should have. */
async function refundsByEvents(
  { refunds }: Pick<Deps, 'refunds'>,
  earns: readonly EntryDocument[],
): Promise<RefundDocument[]> {
  const [first] = earns;
  if (!first) return [];
  const ids = earns.map(({ _id }) => _id);
  const rows = await refunds.ofEarns(first.workspace_id, { ids });
  return rows.flatMap((row) => row.refunds);
}

/** What of an earn no cancel or refund has taken back yet, in any wallet that it has lived in. */
export async function notReversed(
  { entries }: Pick<Deps, 'entries'>,
  earn: EntryDocument,
  way: readonly string[],
): Promise<Units> {
  const reversals = await entries.findReversals(earn.workspace_id, way, earn._id);
  return add(unitsOf(earn.amount), ...reversals.map(({ amount }) => unitsOf(amount)));
}

/**
 * The same where a refund event takes: what somebody asked for and could not get is no more left, for calls and events count
 * as one (part 3, section 16), and nothing makes a shortfall good.
 */
export const leftToEvents = async (
  deps: Counts,
  earn: EntryDocument,
  way: readonly string[],
): Promise<Units> => (await stateToEvents(deps, earn, way)).left;

async function stateToEvents(
  { entries, refunds }: Counts,
  earn: EntryDocument,
  way: readonly string[],
): Promise<{ left: Units; reversals: EntryDocument[] }> {
  const { workspace_id: workspaceId, source_id: saleId } = earn;
  const calls = await refunds.find(workspaceId, saleId!);
  const reversals = await entries.findReversals(workspaceId, way, earn._id);
  const left = add(unitsOf(earn.amount), ...reversals.map(({ amount }) => unitsOf(amount)));
  const missed = lacking(calls?.refunds ?? [], earn, reversals);
  return { left: larger(ZERO, subtract(left, missed)), reversals };
}

/** What some refunds should have taken of an earn and could not. */
function lacking(
  refunds: readonly RefundDocument[],
  { _id }: EntryDocument,
  reversals: readonly EntryDocument[],
): Units {
  const missed = refunds.flatMap((refund) => {
    const taken = reversals.filter(writtenBy([refund])).map(({ amount }) => unitsOf(amount));
    return refund.steps
      .filter(({ entry_id }) => entry_id === _id)
      .map(({ due }) => larger(ZERO, add(unitsOf(due), ...taken)));
  });
  return add(ZERO, ...missed);
}

/** The name under which the log has what a refund takes back of one earn, or one of several parts of that. */
export const operationOfStep = (
  { id }: Pick<RefundDocument, 'id'>,
  { entry_id }: RefundStep,
  part = 0,
): string => `refund:${id}:${entry_id}${part === 0 ? '' : `:${part}`}`;

/** Tells the entries that some refunds wrote by the names that `operationOfStep` gives them. */
export function writtenBy(refunds: readonly Pick<RefundDocument, 'id'>[]) {
  const ids = new Set(refunds.map(({ id }) => id));
  return ({ operation_id: operation }: Pick<EntryDocument, 'operation_id'>): boolean => {
    const [kind, id] = operation.split(':');
    return kind === 'refund' && ids.has(id!);
  };
}

async function foundAtHome(deps: Needs, earn: EntryDocument): Promise<Found> {
  return atHome(deps, earn, async (wallet) => {
    const { lots } = (await deps.heads.proven([wallet])).get(wallet.id)!.wallet;
    const own = lots.find(({ id }) => id === earn._id);
    const lot = { remaining: own?.remaining ?? ZERO, isPending: own ? !isActive(own) : false };
    return { earn, lot, group: wallet.id };
  });
}

function grouped<T extends Found>(found: readonly T[]): T[][] {
  return [...new Set(found.map(({ group }) => group))].map((group) =>
    found.filter((one) => one.group === group),
  );
}

function stepsFor(group: readonly Found[], dues: readonly Units[]): RefundStep[] {
  const shares = pendingInstead(
    dues,
    group.map(({ lot }) => lot),
  );
  return group.map(({ earn }, index) => ({ entry_id: earn._id, due: shares[index]! }));
}

/** What pending points of other earns gave in place of an earn's own, which it owes them now; negative where it gave. */
function lent(earn: EntryDocument, earlier: Earlier): Units {
  let before = 0;
  let sum = ZERO;
  for (const { ratio, steps } of earlier?.refunds ?? []) {
    const step = steps.find(({ entry_id }) => entry_id === earn._id);
    if (!step) continue;
    const own = shareAfter(before, unitsOf(earn.amount), ratio);
    sum = add(sum, subtract(own, unitsOf(step.due)));
    before = Math.min(WHOLE, before + ratio);
  }
  return sum;
}
