import { newId } from '@laurel/lifecycle';
import { fingerprintFor } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { larger, toDecimal, total, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { EntryDocument } from '../store/documents';
import type { PurchaseRefundsDocument, RefundDocument } from '../store/purchase-refunds';
import { type Asked, askedRefund, firstOf, shareLeft } from './asked-refund';
import { stepsOfTogether } from './share-refund';
import { takeLateEarns } from './take-late-earn';
import { takeStep } from './take-step';
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
  const asked = await askedRefund(deps, request);
  const { purchase, refund, replayed } = await writeDown(deps, asked);
  return { ...(await carryOut(deps, purchase, refund)), replayed };
}

interface FoundEarns
  extends Pick<Asked, 'workspaceId' | 'sourceId' | 'sales' | 'operationId' | 'ratio' | 'earns'> {
  /** The wallets that the earns have lived in. */
  walletIds: readonly string[];
}

/**
 * The same for the earns of some sales, taken together: a share of what they earned, from what is left of them. A share
 * beyond what was refunded before is cut to the rest. It is written down where nothing was earned yet, too: what a rule
 * earns later gives its share back then (`take-late-earn.ts`).
 */
export async function refundEarns(deps: Deps, { walletIds, ...asked }: FoundEarns): Promise<void> {
  const { purchase, refund } = await writeDown(deps, {
    ...asked,
    clientId: null,
    externalId: null,
    ratioField: null,
    stepsOf: await stepsOfTogether(deps, { earns: asked.earns, walletIds }),
  });
  await carryOut(deps, purchase, refund);
}

interface WrittenDown {
  purchase: PurchaseRefundsDocument;
  refund: RefundDocument;
  replayed: boolean;
}

async function writeDown(deps: Deps, asked: Asked): Promise<WrittenDown> {
  const { workspaceId, sourceId, sales } = asked;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const purchase = await deps.refunds.find(workspaceId, sourceId);
    if (!purchase) {
      // Before there is a row that each later earn of the name would look at.
      asked.requireFew?.();
      const blank = { workspace_id: workspaceId, source_id: sourceId, ratio_total: 0, refunds: [] };
      const of = sales ? { sales: { ids: sales.ids, client_id: sales.client_id } } : {};
      await deps.refunds.open({ _id: newId(), ...blank, ...of });
      continue;
    }
    const first = firstOf(purchase, asked);
    if (first) return { purchase, refund: first, replayed: true };
    const ratio = await shareLeft(deps, asked, purchase);
    const refund = refundOf(deps, asked, { ratio, steps: asked.stepsOf(purchase, ratio) });
    if (!(await deps.refunds.add(purchase, refund))) continue;
    // A call that has looked for refunds by events before this one was there looks again.
    if (sales) await deps.refunds.overtake(workspaceId, sales.names);
    return { purchase, refund, replayed: false };
  }
  throw refusals.busy();
}

function refundOf(
  { now }: Deps,
  { operationId, externalId, clientId, sales }: Asked,
  came: Pick<RefundDocument, 'ratio' | 'steps'>,
): RefundDocument {
  return {
    id: newId(),
    operation_id: operationId,
    ...fingerprintFor(operationId),
    external_id: externalId,
    ...came,
    at: new Date(now()),
    done: false,
    ...(clientId === null ? {} : { client_id: clientId }),
    ...(sales?.shared ? { shared: true } : {}),
  };
}

/**
 * Does whatever of a refund is not done yet and tells what all of it came to, but for what was earned after it: a repeat of a
 * call is answered as the call was. A call is not done before what rules gave between its look and its row was seen to: no
 * other comes to that again, while an event is delivered until it is through.
 */
export async function carryOut(
  deps: Deps,
  purchase: PurchaseRefundsDocument,
  refund: RefundDocument,
): Promise<Omit<ledger.RefundPurchaseReply, 'replayed'>> {
  const taken: EntryDocument[] = [];
  const through = new Set(refund.through);
  for (const step of refund.steps) {
    const done = refund.done || through.has(step.entry_id);
    const entries = await takeStep(deps, { purchase, refund: { ...refund, done } }, step);
    if (!step.late) taken.push(...entries);
  }
  if (!refund.done) {
    if (!purchase.sales) await takeLateEarns(deps, purchase.workspace_id, [purchase.source_id]);
    await deps.refunds.finish(purchase, refund);
  }
  return {
    entries: taken.map(toEntryReply),
    ...cameTo(
      refund.steps.filter(({ late }) => !late).map(({ due }) => due),
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
