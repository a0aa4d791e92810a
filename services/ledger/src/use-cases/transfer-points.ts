import { negate, type Units } from '@laurel/amount';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { transferIn, transferOut } from '../domain/transfer';
import type { Note } from '../domain/types';
import { refusals } from '../refusals';
import { toEntryMessage } from '../store/messages';
import type { PairOutcome } from '../store/pair-flight';
import {
  externalClaim,
  noteFrom,
  operationIdOf,
  positiveUnits,
  refuseOtherAmount,
} from './operation';
import { type ResolvedWallet, resolveWallet } from './resolve-wallet';

/** Moves active points from one client to another, all or nothing; the lots keep their expiry. */
export async function transferPoints(
  deps: Deps,
  request: ledger.TransferRequest,
): Promise<ledger.TransferReply> {
  const amount = positiveUnits(request.amount);
  if (request.from_client_id === request.to_client_id) throw refusals.sameClient();
  const operationId = operationIdOf('transfer', request.operation_id);
  const [from, to] = await Promise.all([
    walletOf(deps, request, 'from_client_id'),
    walletOf(deps, request, 'to_client_id'),
  ]);
  const outcome = await deps.log.performPair({
    commands: [
      {
        wallet: from.ref,
        operationId: `${operationId}:out`,
        claim: externalClaim('transfer', from.ref, request.external_id),
      },
      { wallet: to.ref, operationId: `${operationId}:in` },
    ],
    decide: ([giving, receiving], [, moment]) => {
      const out = transferOut(
        { wallet: giving, rules: from.rules },
        { ...noteFor(request, to), amount },
      );
      const note = noteFor(request, from);
      return [
        [
          out,
          transferIn({ wallet: receiving, rules: to.rules }, { parts: out.consumed, note }, moment),
        ],
      ];
    },
  });
  return replyOf(outcome, amount);
}

function walletOf(
  deps: Deps,
  request: ledger.TransferRequest,
  clientField: 'from_client_id' | 'to_client_id',
): Promise<ResolvedWallet> {
  return resolveWallet(deps, {
    workspaceId: request.workspace_id,
    clientId: request[clientField],
    walletTypeCode: request.wallet_type_code,
    clientField,
  });
}

/** Each side names the client on the other. */
function noteFor(request: ledger.TransferRequest, other: ResolvedWallet): Note {
  return { ...noteFrom(request), sourceType: 'transfer', sourceId: other.ref.clientId };
}

function replyOf({ entries, replayed }: PairOutcome, amount: Units): ledger.TransferReply {
  if (!entries) throw new Error('a transfer came to nothing');
  const [out, into] = entries;
  if (replayed === 'claim') refuseOtherAmount(out, negate(amount));
  return {
    transfer_out: toEntryMessage(out),
    transfer_in: toEntryMessage(into),
    replayed: replayed !== null,
  };
}
