import { add, larger, subtract, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { isActive } from '../domain/lots';
import {
  evenedOut,
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
  const found = await Promise.all(earns.map((earn) => foundAtHome(deps, earn)));
  return (earlier, share) =>
    grouped(found).flatMap((group) => {
      const before = earlier?.ratio_total ?? 0;
      const owed = group.map(({ earn }) =>
        add(shareAfter(before, unitsOf(earn.amount), share), lent(earn, earlier)),
      );
      return stepsFor(group, evenedOut(owed));
    });
}

/** The steps of a refund that takes a share of what its earns credited together, from what is left of each now. */
export async function stepsOfTogether(
  deps: Needs & Counts,
  { earns, walletIds }: { earns: readonly EntryDocument[]; walletIds: readonly string[] },
): Promise<StepsOf> {
  const found = await Promise.all(
    earns.map(async (earn) => ({
      ...(await foundAtHome(deps, earn)),
      // Points, stamps and euros do not add up: what one earn gave back before, no other kind makes good.
      group: earn.wallet_type_id,
      left: await leftToEvents(deps, earn, walletIds),
    })),
  );
  return (earlier, share) =>
    grouped(found).flatMap((group) => {
      const earned = add(ZERO, ...group.map(({ earn }) => unitsOf(earn.amount)));
      const due = shareAfter(earlier?.ratio_total ?? 0, earned, share);
      const left = group.map((one) => one.left);
      return stepsFor(group, spreadOverLeft(due, left));
    });
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
export async function leftToEvents(
  { entries, refunds }: Counts,
  earn: EntryDocument,
  way: readonly string[],
): Promise<Units> {
  const { workspace_id: workspaceId, source_id: saleId } = earn;
  const calls = await refunds.find(workspaceId, saleId!);
  const reversals = await entries.findReversals(workspaceId, way, earn._id);
  const taken = new Map(reversals.map(({ operation_id, amount }) => [operation_id, amount]));
  const lacking = (calls?.refunds ?? []).flatMap((refund) =>
    refund.steps
      .filter(({ entry_id }) => entry_id === earn._id)
      .map((step) => {
        const moved = taken.get(operationOfStep(refund, step)) ?? 0;
        return add(unitsOf(step.due), unitsOf(moved));
      }),
  );
  const left = add(unitsOf(earn.amount), ...[...taken.values()].map(unitsOf));
  return larger(ZERO, subtract(left, add(ZERO, ...lacking)));
}

/** The name under which the log has what a refund takes back of one earn. */
export const operationOfStep = (
  { id }: Pick<RefundDocument, 'id'>,
  { entry_id }: RefundStep,
): string => `refund:${id}:${entry_id}`;

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
    if (step) {
      const own = shareAfter(before, unitsOf(earn.amount), ratio);
      sum = add(sum, subtract(own, unitsOf(step.due)));
    }
    before = Math.min(WHOLE, before + ratio);
  }
  return sum;
}
