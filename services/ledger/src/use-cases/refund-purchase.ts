import { newId } from '@laurel/lifecycle';
import { fingerprintFor } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import {
  larger,
  smaller,
  toDecimal,
  total,
  type Units,
  unitsOf,
  ZERO,
} from '@laurel/values/amount';
import type { Deps } from '../deps';
import { takeBack } from '../domain/refund-purchase';
import type { Rules } from '../domain/types';
import { noteOf } from '../domain/wallet';
import { refusals } from '../refusals';
import type { EntryDocument, WalletRef } from '../store/documents';
import type {
  PurchaseRefundsDocument,
  RefundDocument,
  RefundStep,
} from '../store/purchase-refunds';
import { rulesOf } from '../store/wallet-types';
import { type Asked, askedRefund, firstOf, shareLeft } from './asked-refund';
import { atHome } from './at-home';
import { notReversed, stepsOfTogether } from './share-refund';
import { toEntryReply } from './wire';

const ATTEMPTS_MAX = 20;

/**
 * Takes back what a purchase earned, in proportion to what was refunded of it. The refund is written down
 * first, with what is due for each earn; then each is taken back by an operation of its own name, so
 * that a refund cut short is finished by its repeat or by the sweeper, and never taken twice.
 */
export async function refundPurchase(
  deps: Deps,
  request: ledger.RefundPurchaseRequest,
): Promise<ledger.RefundPurchaseReply> {
  const { asked } = await askedRefund(deps, request);
  const { purchase, refund, replayed } = await writeDown(deps, asked);
  return { ...(await carryOut(deps, purchase, refund)), replayed };
}

interface FoundEarns
  extends Pick<Asked, 'workspaceId' | 'sourceId' | 'sales' | 'operationId' | 'ratio'> {
  earns: readonly EntryDocument[];
  /** The wallets that the earns have lived in. */
  walletIds: readonly string[];
}

/**
 * The same for the earns of some sales, taken together: a share of what they earned, from what is left of them. A share
 * beyond what was refunded before is cut to the rest. It is written down where nothing was earned yet, too: what a rule
 * earns later gives its share back then (`take-late-earn.ts`).
 */
export async function refundEarns(
  deps: Deps,
  { earns, walletIds, ...asked }: FoundEarns,
): Promise<void> {
  const { purchase, refund } = await writeDown(deps, {
    ...asked,
    externalId: null,
    ratioField: null,
    stepsOf: await stepsOfTogether(deps, { earns, walletIds }),
  });
  await carryOut(deps, purchase, refund);
}

interface WrittenDown {
  purchase: PurchaseRefundsDocument;
  refund: RefundDocument;
  replayed: boolean;
}

async function writeDown(deps: Deps, asked: Asked): Promise<WrittenDown> {
  const { workspaceId, sourceId, operationId, externalId } = asked;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const purchase = await deps.refunds.find(workspaceId, sourceId);
    if (!purchase) {
      const blank = { workspace_id: workspaceId, source_id: sourceId, ratio_total: 0, refunds: [] };
      await deps.refunds.open({
        _id: newId(),
        ...blank,
        ...(asked.sales ? { sales: asked.sales } : {}),
      });
      continue;
    }
    const first = firstOf(purchase, asked);
    if (first) return { purchase, refund: first, replayed: true };
    const ratio = await shareLeft(deps, asked, purchase);
    const refund: RefundDocument = {
      id: newId(),
      operation_id: operationId,
      ...fingerprintFor(operationId),
      external_id: externalId,
      ratio,
      at: new Date(deps.now()),
      steps: asked.stepsOf(purchase, ratio),
      done: false,
    };
    if (await deps.refunds.add(purchase, refund)) return { purchase, refund, replayed: false };
  }
  throw refusals.busy();
}

/** Does whatever of a refund is not done yet and tells what all of it came to. */
export async function carryOut(
  deps: Deps,
  purchase: PurchaseRefundsDocument,
  refund: RefundDocument,
): Promise<Omit<ledger.RefundPurchaseReply, 'replayed'>> {
  const taken: EntryDocument[] = [];
  for (const step of refund.steps) {
    const entry = await takeStep(deps, { purchase, refund }, step);
    if (entry) taken.push(entry);
  }
  if (!refund.done) await deps.refunds.finish(purchase, refund);
  return {
    entries: taken.map(toEntryReply),
    ...cameTo(
      refund.steps.map(({ due }) => due),
      taken.map(({ amount }) => amount),
    ),
  };
}

/** What was taken back of what was due, both in stored units; of several wallet types together it may be more than one amount can be. */
export function cameTo(due: readonly number[], taken: readonly number[]) {
  const refunded = total(...taken.map((amount) => -amount));
  return {
    refunded_points: toDecimal(refunded),
    shortfall: toDecimal(larger(ZERO, total(...due, -refunded))),
  };
}

/** The name under which the log has what a refund takes back of one earn. */
export const operationOfStep = ({ id }: RefundDocument, { entry_id }: RefundStep): string =>
  `refund:${id}:${entry_id}`;

/** Takes back what is due of one earn, once; null where nothing is left of it, or nothing there. */
export async function takeStep(
  deps: Deps,
  { purchase, refund }: Pick<WrittenDown, 'purchase' | 'refund'>,
  step: RefundStep,
): Promise<EntryDocument | null> {
  const { workspace_id: workspaceId } = purchase;
  const operationId = operationOfStep(refund, step);
  const done = await deps.entries.findByOperation(workspaceId, operationId);
  if (done || refund.done || step.due === 0) return done;
  const earn = (await deps.entries.find(workspaceId, step.entry_id))!;
  const type = await deps.walletTypes.find(workspaceId, earn.wallet_type_id);
  if (!type) throw new Error(`wallet type ${earn.wallet_type_id} is missing`);
  return atHome(deps, earn, async (wallet, way) => {
    const asked = { operationId, externalId: refund.external_id, due: unitsOf(step.due) };
    const taking = { wallet, way, earn, rules: rulesOf(type), ...asked };
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const outcome = await tryToTake(deps, taking);
      if (outcome !== 'moved') return outcome;
    }
    throw refusals.busy();
  });
}

interface Taking {
  wallet: WalletRef;
  way: readonly string[];
  earn: EntryDocument;
  rules: Rules;
  operationId: string;
  externalId: string | null;
  due: Units;
}

/**
 * One try, which stands only on the very wallet whose reversals were counted: a cancel of the same earn in
 * between would else be taken a second time. `moved` when something happened to the wallet meanwhile.
 */
async function tryToTake(
  deps: Deps,
  { wallet, way, earn, rules, operationId, externalId, due }: Taking,
): Promise<EntryDocument | null | 'moved'> {
  const { sequence } = (await deps.heads.proven([wallet])).get(wallet.id)!.wallet;
  const left = await notReversed(deps, earn, way);
  if (left <= 0) return null;
  const take = { earnId: earn._id, left, due: smaller(due, left) };
  const note = { ...noteOf('refund', earn._id), externalId };
  let moved = false;
  const outcome = await deps.log.perform({
    wallet,
    operationId,
    decide: (state) => {
      moved = state.sequence !== sequence;
      return moved ? null : takeBack({ wallet: state, rules }, take, note);
    },
  });
  if (outcome) return outcome.entry;
  return moved ? 'moved' : null;
}
