import { unitsOf } from '@laurel/amount';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { heldBy, release } from '../domain/hold';
import { refusals } from '../refusals';
import type { EntryDocument } from '../store/documents';
import { atHome } from './at-home';
import { requireEntry } from './get-entry';
import { answer, operationIdOf } from './operation';

/** Gives held points back to the lots they came from. */
export async function releaseLock(
  deps: Deps,
  request: ledger.ReleaseLockRequest,
): Promise<ledger.EntryReply> {
  const entry = await requireLock(deps, request.workspace_id, request.entry_id);
  const operationId = operationIdOf(`release:${entry._id}`, request.operation_id);
  return atHome(deps, entry, async (wallet) => {
    const outcome = await deps.log.perform({
      wallet,
      operationId,
      decide: (state) => release(state, heldBy(state, entry._id), 'cancelled'),
    });
    return answer(outcome, unitsOf(outcome!.entry.amount));
  });
}

/** The lock entry of an id; an entry that holds nothing by nature is no longer held. */
export async function requireLock(
  deps: Deps,
  workspaceId: string,
  entryId: string,
): Promise<EntryDocument> {
  const entry = await requireEntry(deps, workspaceId, entryId);
  await refuseAnonymized(deps, entry);
  if (entry.type !== 'lock') throw refusals.noLongerHeld();
  return entry;
}

export async function refuseAnonymized(
  { standings }: Pick<Deps, 'standings'>,
  entry: EntryDocument,
): Promise<void> {
  const standing = await standings.of(entry.workspace_id, entry.client_id);
  if (standing === 'anonymized') throw refusals.anonymizedClient('entryId');
}
