import type { Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import { unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { heldBy, release } from '../domain/hold';
import { refusals } from '../refusals';
import type { EntryDocument } from '../store/documents';
import { findRepeat } from '../store/repeats';
import { atHome } from './at-home';
import { requireEntry } from './get-entry';
import { answer, operationIdOf } from './operation';

/** Gives held points back to the lots they came from. */
export async function releaseLock(
  deps: Deps,
  request: ledger.ReleaseLockRequest,
): Promise<ledger.EntryReply> {
  const operationId = operationIdOf(`release:${request.entry_id}`, request.operation_id);
  const entry = await requireLock(deps, request, operationId);
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
  { workspace_id: workspaceId, entry_id: entryId }: ledger.ReleaseLockRequest,
  operationId: string,
): Promise<EntryDocument> {
  const entry = await requireEntry(deps, workspaceId, entryId);
  await requireOperable(deps, entry, operationId);
  if (entry.type !== 'lock') throw refusals.noLongerHeld();
  return entry;
}

/**
 * Refuses to touch an entry of a client whose points no longer move, or of a wallet type that is switched off. The repeat of
 * what was done before that is not refused (`on-wallet.ts`): the log answers it.
 */
export async function requireOperable(
  deps: Pick<Deps, 'entries' | 'standings' | 'walletTypes'>,
  entry: EntryDocument,
  operationId: string,
): Promise<void> {
  const refusal = await complaintAbout(deps, entry);
  if (!refusal) return;
  const command = { workspaceId: entry.workspace_id, operationId, context: currentContext() };
  if (!(await findRepeat(deps.entries, command))) throw refusal;
}

async function complaintAbout(
  { standings, walletTypes }: Pick<Deps, 'standings' | 'walletTypes'>,
  { workspace_id, client_id, wallet_type_id }: EntryDocument,
): Promise<Refusal | null> {
  const [standing, types] = await Promise.all([
    standings.of(workspace_id, client_id),
    walletTypes.list(workspace_id),
  ]);
  if (standing === 'anonymized') return refusals.clientAnonymized({ field: 'entryId' });
  const type = types.find(({ _id }) => _id === wallet_type_id);
  return type?.active === false ? refusals.walletTypeInactive() : null;
}
