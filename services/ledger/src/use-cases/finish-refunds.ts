import { workInTurn } from '@laurel/work';
import type { Deps } from '../deps';
import type { PurchaseRefundsDocument } from '../store/purchase-refunds';
import { carryOut } from './refund-purchase';

const BATCH_SIZE = 50;
/** A refund younger than this may still be in its caller's hands. */
const LEFT_ALONE_MS = 15_000;

/** Finishes refunds whose caller died halfway. */
export async function finishRefunds(deps: Deps): Promise<{ more: boolean }> {
  const unfinished = await deps.refunds.unfinished(BATCH_SIZE);
  let finished = 0;
  const { more } = await workInTurn(unfinished, BATCH_SIZE, async (purchase) => {
    finished += await finish(deps, purchase);
  });
  return { more: more && finished > 0 };
}

/** By the clock of its workspace: a sandbox may be years ahead. */
async function finish(deps: Deps, purchase: PurchaseRefundsDocument): Promise<number> {
  let finished = 0;
  const before = deps.now(purchase.workspace_id) - LEFT_ALONE_MS;
  for (const refund of purchase.refunds) {
    if (refund.done || refund.at.getTime() > before) continue;
    await carryOut(deps, purchase, refund);
    finished += 1;
  }
  // The caller may also have died between the last of them and saying so.
  if (purchase.refunds.every(({ done }) => done)) await deps.refunds.close(purchase);
  return finished;
}
