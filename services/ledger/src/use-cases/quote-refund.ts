import { currentContext } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import {
  add,
  smaller,
  subtract,
  totalUnitsOf,
  toUnits,
  type Units,
  unitsOf,
  ZERO,
} from '@laurel/values/amount';
import type { Deps } from '../deps';
import { takeBack } from '../domain/refund-purchase';
import { withinRest } from '../domain/refund-shares';
import { noteOf } from '../domain/wallet';
import { refusals } from '../refusals';
import type { EntryDocument, WalletRef } from '../store/documents';
import { Planner } from '../store/planner';
import type { RefundStep } from '../store/purchase-refunds';
import { rulesOf } from '../store/wallet-types';
import { ratioOfAmounts } from './asked-refund';
import { atHome } from './at-home';
import { earnsOf, namesMeant } from './follow-refund';
import { notReversed, stepsOfTogether } from './share-refund';
import { mayGoOn } from './take-step';
import { decimal } from './wire';

/**
 * What a refund of some sales would take back of what they earned, by wallet type: the shares of `follow-refund.ts`,
 * each decided on the wallet that the ones before it leave. Writes nothing.
 */
export async function quoteRefund(
  deps: Deps,
  request: ledger.QuoteRefundRequest,
): Promise<ledger.RefundQuote> {
  const { workspace_id: workspaceId, client_id: clientId, shared, merging } = request;
  const earns: EntryDocument[] = [];
  const steps: RefundStep[] = [];
  for (const share of [request, ...shared]) {
    const { refunded, paid } = share;
    const purchase = await deps.refunds.ofSales(workspaceId, share.event_ids);
    const before = purchase?.ratio_total ?? 0;
    const ratio = withinRest(before, ratioOfAmounts(toUnits(refunded), totalUnitsOf([paid])));
    const names = namesMeant(share, { before, ratio });
    const found = await earnsOf(deps, { workspaceId, clientId, merging }, names);
    const planned = new Map<string, Units>();
    for (const { entry_id: id, due } of steps)
      planned.set(id, add(planned.get(id) ?? ZERO, unitsOf(due)));
    const stepsOf = await stepsOfTogether(deps, { ...found, planned });
    earns.push(...found.earns);
    steps.push(...stepsOf(purchase, ratio));
  }
  return { taken: byWalletType(await foretellSteps(deps, { earns, steps })) };
}

/** The entries that the steps of a refund would write, each decided on the wallet that the ones before it leave. */
export async function foretellSteps(
  deps: Deps,
  { earns, steps }: { earns: readonly EntryDocument[]; steps: readonly RefundStep[] },
): Promise<EntryDocument[]> {
  const known = new Map(earns.map((earn) => [earn._id, earn]));
  const take = takingFrom(deps);
  const entries: EntryDocument[] = [];
  for (const step of steps) {
    let due = unitsOf(step.due);
    while (due > 0) {
      const entry = await take(known.get(step.entry_id)!, due);
      if (!entry) break;
      entries.push(entry);
      due = mayGoOn(entry) ? add(due, unitsOf(entry.amount)) : ZERO;
    }
  }
  return entries;
}

/** What entries take back, of each wallet type. */
export function byWalletType(entries: readonly EntryDocument[]): ledger.TakenBack[] {
  const taken = new Map<string, { amount: Units; pending: Units }>();
  for (const { wallet_type_code: code, ...entry } of entries) {
    const { amount, pending } = taken.get(code) ?? { amount: ZERO, pending: ZERO };
    taken.set(code, {
      amount: add(amount, unitsOf(entry.amount)),
      pending: add(pending, unitsOf(entry.change.pending)),
    });
  }
  return [...taken].map(([wallet_type_code, { amount, pending }]) => ({
    wallet_type_code,
    amount: decimal(amount),
    pending: decimal(pending),
  }));
}

/** Plans steps one after the other, each wallet from where its log ends, with all that is due settled. */
function takingFrom(deps: Deps) {
  const planners = new Map<string, Planner>();
  const planned = new Map<string, Units>();
  async function plannerOf(wallet: WalletRef, at: number): Promise<Planner> {
    const head = (await deps.heads.proven([wallet])).get(wallet.id)!;
    const planner = planners.get(wallet.id) ?? new Planner(head);
    if (!planners.has(wallet.id) && !planner.settle(at)) throw refusals.busy();
    planners.set(wallet.id, planner);
    return planner;
  }
  return async (earn: EntryDocument, due: Units): Promise<EntryDocument | null> => {
    const type = await deps.walletTypes.find(earn.workspace_id, earn.wallet_type_id);
    if (!type) throw new Error(`wallet type ${earn.wallet_type_id} is missing`);
    if (!type.active) return null;
    return atHome(deps, earn, async (wallet, way) => {
      const before = planned.get(earn._id) ?? ZERO;
      const left = subtract(await notReversed(deps, earn, way), before);
      if (left <= 0) return null;
      const at = deps.now(wallet.workspaceId);
      const part = { earnId: earn._id, left, due: smaller(due, left) };
      const entry = (await plannerOf(wallet, at)).decide(
        (state) =>
          takeBack({ wallet: state, rules: rulesOf(type) }, part, noteOf('refund', earn._id)),
        at,
        { operationId: `quote:${earn._id}`, context: currentContext() },
      );
      if (entry) planned.set(earn._id, subtract(before, unitsOf(entry.amount)));
      return entry;
    });
  };
}
