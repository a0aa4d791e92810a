import type { Deps } from '../deps';
import type { PurchaseRefundsDocument } from '../store/purchase-refunds';
import { carryOut } from './refund-purchase';

const BATCH_SIZE = 50;
/** A refund younger than this may still be in its caller's hands. */
const LEFT_ALONE_MS = 15_000;

/**
 * Finishes refunds whose caller died halfway. Those that cannot be finished are passed by, however many they are, and the
 * round rejects with them at its end.
 */
export async function finishRefunds(deps: Deps): Promise<{ more: boolean }> {
  const failures: unknown[] = [];
  let count = 0;
  let page: PurchaseRefundsDocument[] = [];
  do {
    page = await deps.refunds.unfinished(BATCH_SIZE, page.at(-1)?._id);
    count += page.length;
    for (const purchase of page)
      try {
        await finish(deps, purchase);
      } catch (error) {
        failures.push(error);
      }
  } while (page.length === BATCH_SIZE);
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${count} could not be worked on`);
  return { more: false };
}

/** By the clock of its workspace: a sandbox may be years ahead. */
async function finish(deps: Deps, purchase: PurchaseRefundsDocument): Promise<void> {
  const before = deps.now(purchase.workspace_id) - LEFT_ALONE_MS;
  for (const refund of purchase.refunds)
    if (!refund.done && refund.at.getTime() <= before) await carryOut(deps, purchase, refund);
  // The caller may also have died between the last of them and saying so.
  if (purchase.refunds.every(({ done }) => done)) await deps.refunds.close(purchase);
}
