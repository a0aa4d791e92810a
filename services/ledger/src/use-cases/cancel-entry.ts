import type { ledger } from '@laurel/rpc';
import { unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { cancel, type Reversible } from '../domain/cancel';
import type { Note } from '../domain/types';
import { noteOf } from '../domain/wallet';
import { refusals } from '../refusals';
import type { Outcome } from '../store/command';
import type { EntryDocument, WalletRef } from '../store/documents';
import { toPart } from '../store/mapping';
import { atHome } from './at-home';
import { requireEntry } from './get-entry';
import { answer, operationIdOf } from './operation';
import { requireOperable } from './release-lock';

/** Reverses what is left of an earn, spend or adjust. Each entry once. */
export async function cancelEntry(
  deps: Deps,
  request: ledger.CancelEntryRequest,
): Promise<ledger.EntryReply> {
  const entry = await requireEntry(deps, request.workspace_id, request.entry_id);
  const operationId = operationIdOf(`cancel:${entry._id}`, request.operation_id);
  await requireOperable(deps, entry, operationId);
  const note: Note = { ...noteOf('cancel', entry._id), description: request.reason };
  return atHome(deps, entry, async (wallet) => {
    const outcome = await reverse(deps, { wallet, entry, note, operationId });
    if (outcome.replayed === 'claim') throw refusals.alreadyCancelled();
    return answer(outcome, unitsOf(outcome.entry.amount));
  });
}

/** Commits the reversal of an entry, under a claim that only one reversal of it can take. */
export async function reverse(
  deps: Pick<Deps, 'log' | 'entries'>,
  command: { wallet: WalletRef; entry: EntryDocument; note: Note; operationId: string },
): Promise<Outcome> {
  const { wallet, entry, note, operationId } = command;
  const outcome = await deps.log.perform({
    wallet,
    operationId,
    claim: `cancel:${entry._id}`,
    decide: (state, moment) => cancel(state, { entry: reversibleOf(entry), note }, moment),
  });
  return outcome!;
}

function reversibleOf({ _id, type, amount, consumed }: EntryDocument): Reversible {
  return { id: _id, type, amount: unitsOf(amount), consumed: consumed.map(toPart) };
}
