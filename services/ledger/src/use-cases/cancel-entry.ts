import type { ledger } from '@laurel/rpc';
import { type Units, unitsOf, ZERO } from '@laurel/values/amount';
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
import { notReversed } from './share-refund';

/** Reverses what is left of an earn, spend or adjust. Each entry once. */
export async function cancelEntry(
  deps: Deps,
  request: ledger.CancelEntryRequest,
): Promise<ledger.EntryReply> {
  const entry = await requireEntry(deps, request.workspace_id, request.entry_id);
  const operationId = operationIdOf(`cancel:${entry._id}`, request.operation_id);
  await requireOperable(deps, entry, operationId);
  const note: Note = { ...noteOf('cancel', entry._id), description: request.reason };
  return atHome(deps, entry, async (wallet, way) => {
    const reversal = { wallet, entry, note, operationId };
    const outcome =
      entry.amount > 0 ? await reverseCredit(deps, reversal, way) : await reverse(deps, reversal);
    if (outcome.replayed === 'claim') throw refusals.alreadyCancelled();
    return answer(outcome, unitsOf(outcome.entry.amount));
  });
}

interface ReversalCommand {
  wallet: WalletRef;
  entry: EntryDocument;
  note: Note;
  operationId: string;
}

/** Commits the reversal of a debit, under a claim that only one reversal of it can take. */
export async function reverse(
  { log }: Pick<Deps, 'log'>,
  { entry, note, ...command }: ReversalCommand,
): Promise<Outcome> {
  const outcome = await log.perform({
    ...command,
    claim: claimOn(entry),
    decide: (state, moment) => cancel(state, { entry: reversibleOf(entry, ZERO), note }, moment),
  });
  return outcome!;
}

/** The same of a credit, of which refunds may have taken back something before. */
async function reverseCredit(
  deps: Pick<Deps, 'log' | 'entries'>,
  { entry, note, ...command }: ReversalCommand,
  way: readonly string[],
): Promise<Outcome> {
  const outcome = await deps.log.perform({
    ...command,
    claim: claimOn(entry),
    reverses: entry._id,
    look: async () => {
      const reversible = reversibleOf(entry, await notReversed(deps, entry, way));
      return (state, moment) => cancel(state, { entry: reversible, note }, moment);
    },
  });
  return outcome!;
}

const claimOn = ({ _id }: EntryDocument): string => `cancel:${_id}`;

function reversibleOf({ _id, type, amount, consumed }: EntryDocument, left: Units): Reversible {
  return { id: _id, type, amount: unitsOf(amount), left, consumed: consumed.map(toPart) };
}
