import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Note } from '../domain/types';
import { noteOf } from '../domain/wallet';
import { atHome, saysClosed } from './at-home';
import { reverse } from './cancel-entry';
import { namedOperation } from './operation';
import { toEntryReply } from './wire';

/**
 * Gives a spend back, found by the operation that spent: the way back of a redemption. An empty answer where
 * nothing was spent, or where the client and with it the wallet is gone; a repeat, or a spend that
 * was cancelled by hand before, is answered with the entry that gave it back.
 */
export async function refundSpend(
  deps: Deps,
  request: ledger.RefundSpendRequest,
): Promise<ledger.RefundSpendReply> {
  const { workspace_id: workspaceId, spend_operation_id: spentBy, reason } = request;
  const entry = await deps.entries.findByOperation(workspaceId, namedOperation(spentBy));
  if (!entry || entry.amount >= 0) return { replayed: false };
  const note: Note = { ...noteOf('refund', entry._id), description: reason ?? null };
  const operationId = `refund:${entry.operation_id}`;
  try {
    return await atHome(deps, entry, async (wallet) => {
      const outcome = await reverse(deps, { wallet, entry, note, operationId });
      return { entry: toEntryReply(outcome.entry), replayed: outcome.replayed !== null };
    });
  } catch (error) {
    if (saysClosed(error)) return { replayed: false };
    throw error;
  }
}
