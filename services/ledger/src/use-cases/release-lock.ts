import type { ledger } from '@laurel/rpc';
import { unitsOf } from '@laurel/values/amount';
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
      decide: (state) => release(state, heldBy(state, entry._id), { outcome: 'cancelled' }),
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
  await requireOperable(deps, entry);
  if (entry.type !== 'lock') throw refusals.noLongerHeld();
  return entry;
}

/** Refuses to touch an entry of a client whose points no longer move, or of a wallet type that is switched off. */
export async function requireOperable(
  { standings, walletTypes }: Pick<Deps, 'standings' | 'walletTypes'>,
  { workspace_id, client_id, wallet_type_id }: EntryDocument,
): Promise<void> {
  const [standing, types] = await Promise.all([
    standings.of(workspace_id, client_id),
    walletTypes.list(workspace_id),
  ]);
  if (standing === 'anonymized') throw refusals.clientAnonymized({ field: 'entryId' });
  const type = types.find(({ _id }) => _id === wallet_type_id);
  if (type?.active === false) throw refusals.walletTypeInactive();
}
