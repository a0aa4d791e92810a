import type { Deps } from '../deps';
import { carryOut } from './refund-purchase';

const BATCH_SIZE = 50;
/** A refund younger than this may still be in its caller's hands. */
const LEFT_ALONE_MS = 15_000;

/** Finishes refunds whose caller died halfway. */
export async function finishRefunds(deps: Deps): Promise<{ more: boolean }> {
  const unfinished = await deps.refunds.unfinished(BATCH_SIZE);
  let finished = 0;
  for (const purchase of unfinished) {
    for (const refund of purchase.refunds) {
      if (refund.done || deps.now() - refund.at.getTime() < LEFT_ALONE_MS) continue;
      await carryOut(deps, purchase, refund);
      finished += 1;
    }
    // The caller may also have died between the last of them and saying so.
    if (purchase.refunds.every(({ done }) => done)) await deps.refunds.close(purchase);
  }
  return { more: unfinished.length === BATCH_SIZE && finished > 0 };
}
