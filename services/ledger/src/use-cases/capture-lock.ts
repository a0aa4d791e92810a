import type { ledger } from '@laurel/rpc';
import { unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { capture } from '../domain/hold';
import { atHome } from './at-home';
import { answer, operationIdOf, positiveUnits } from './operation';
import { requireLock } from './release-lock';

/**
 * Spends held points, all of them or some; the rest is released. The capture is one entry and the commit; the
 * rest is due for release from then on, which settling the wallet does here, or the next operation.
 */
export async function captureLock(
  deps: Deps,
  request: ledger.CaptureLockRequest,
): Promise<ledger.EntryReply> {
  const operationId = operationIdOf(`capture:${request.entry_id}`, request.operation_id);
  const entry = await requireLock(deps, request, operationId);
  const amount = request.amount === undefined ? undefined : positiveUnits(request.amount);
  return atHome(deps, entry, async (wallet) => {
    const outcome = await deps.log.perform({
      wallet,
      operationId,
      decide: (state, moment) => capture(state, { lockEntryId: entry._id, amount }, moment),
    });
    await deps.log.perform({ wallet, operationId: `${operationId}:rest`, decide: () => null });
    return answer(outcome, unitsOf(outcome!.entry.amount));
  });
}
