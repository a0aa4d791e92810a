import { add, smaller, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { LOTS_AT_ONCE } from '../domain/lots';
import { takeBack } from '../domain/refund-purchase';
import type { Wallet } from '../domain/types';
import { noteOf } from '../domain/wallet';
import type { EntryDocument } from '../store/documents';
import type {
  PurchaseRefundsDocument,
  RefundDocument,
  RefundStep,
} from '../store/purchase-refunds';
import { rulesOf } from '../store/wallet-types';
import { atHome } from './at-home';
import { leftToEvents, notReversed, operationOfStep } from './share-refund';

interface Refund {
  purchase: PurchaseRefundsDocument;
  refund: RefundDocument;
}

/**
 * Takes back what is due of one earn, once: in one entry, or in as many as its lots need. None where nothing is left of it,
 * or nothing there, or its wallet type is switched off; of a refund that is done, those that it wrote.
 */
export async function takeStep(deps: Deps, of: Refund, step: RefundStep): Promise<EntryDocument[]> {
  const written: EntryDocument[] = [];
  let due = unitsOf(step.due);
  while (due > 0) {
    const operationId = operationOfStep(of.refund, step, written.length);
    const entry = await takePart(deps, of, { earnId: step.entry_id, due, operationId });
    if (!entry) break;
    written.push(entry);
    if (!mayGoOn(entry)) break;
    due = add(due, unitsOf(entry.amount));
  }
  return written;
}

/** Whether an entry of a refund names as many lots as it may: there may be more to take. */
export const mayGoOn = ({ consumed }: Pick<EntryDocument, 'consumed'>): boolean =>
  consumed.length >= LOTS_AT_ONCE;

interface Part {
  earnId: string;
  due: Units;
  operationId: string;
}

async function takePart(
  deps: Deps,
  { purchase, refund }: Refund,
  { earnId, due, operationId }: Part,
): Promise<EntryDocument | null> {
  const { workspace_id: workspaceId } = purchase;
  const done = await deps.entries.findByOperation(workspaceId, operationId);
  if (done || refund.done) return done;
  const earn = (await deps.entries.find(workspaceId, earnId))!;
  const type = await deps.walletTypes.find(workspaceId, earn.wallet_type_id);
  if (!type) throw new Error(`wallet type ${earn.wallet_type_id} is missing`);
  if (!type.active) return null;
  const note = { ...noteOf('refund', earnId), externalId: refund.external_id };
  return atHome(deps, earn, async (wallet, way) => {
    const look = async () => {
      const left = await notReversed(deps, earn, way);
      const mayTake = purchase.sales ? await leftToEvents(deps, earn, way) : left;
      if (mayTake <= ZERO) return null;
      const take = { earnId, left, due: smaller(due, mayTake) };
      return (state: Wallet) => takeBack({ wallet: state, rules: rulesOf(type) }, take, note);
    };
    const outcome = await deps.log.perform({ wallet, operationId, reverses: earnId, look });
    return outcome?.entry ?? null;
  });
}
