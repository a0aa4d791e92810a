import { Refusal } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { negate, type Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { transferIn, transferOut } from '../domain/transfer';
import type { Note } from '../domain/types';
import { refusals } from '../refusals';
import { type PairOutcome, pairOf } from '../store/pair-flight';
import { repeatOf } from './on-wallet';
import {
  externalClaim,
  noteFrom,
  operationIdOf,
  positiveUnits,
  refuseOtherAmount,
} from './operation';
import { type ResolvedWallet, resolveWallet, type WalletQuery } from './resolve-wallet';
import { toEntryReply } from './wire';

/** Moves active points from one client to another, all or nothing; the lots keep their expiry. */
export async function transferPoints(
  deps: Deps,
  request: ledger.TransferRequest,
): Promise<ledger.TransferReply> {
  const amount = positiveUnits(request.amount);
  if (request.from_client_id === request.to_client_id) throw refusals.sameClient();
  const operationId = operationIdOf('transfer', request.operation_id);
  const found = await walletsOrRepeated(deps, request, operationId);
  if (!Array.isArray(found)) return replyOf(found, amount);
  const [from, to] = found;
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

/** Both wallets, or what the transfer came to before one of its clients was gone (`resolvedOrRepeated`). */
async function walletsOrRepeated(
  deps: Deps,
  request: ledger.TransferRequest,
  operationId: string,
): Promise<[from: ResolvedWallet, to: ResolvedWallet] | PairOutcome> {
  const from = walletNamed(request, 'from_client_id');
  try {
    return await Promise.all([
      resolveWallet(deps, from),
      resolveWallet(deps, walletNamed(request, 'to_client_id')),
    ]);
  } catch (refusal) {
    const once = {
      operationId: `${operationId}:out`,
      kind: 'transfer',
      externalId: request.external_id,
    };
    const out = refusal instanceof Refusal ? await repeatOf(deps, from, once) : null;
    if (!out) throw refusal;
    return pairOf(deps.entries, out);
  }
}

const walletNamed = (
  request: ledger.TransferRequest,
  clientField: 'from_client_id' | 'to_client_id',
): WalletQuery => ({
  workspaceId: request.workspace_id,
  clientId: request[clientField],
  walletTypeCode: request.wallet_type_code,
  clientField,
});

/** Each side names the client on the other. */
function noteFor(request: ledger.TransferRequest, other: ResolvedWallet): Note {
  return { ...noteFrom(request), sourceType: 'transfer', sourceId: other.ref.clientId };
}

function replyOf({ entries, replayed }: PairOutcome, amount: Units): ledger.TransferReply {
  if (!entries) throw new Error('a transfer came to nothing');
  const [out, into] = entries;
  if (replayed === 'claim') refuseOtherAmount(out, negate(amount));
  return {
    transfer_out: toEntryReply(out),
    transfer_in: toEntryReply(into),
    replayed: replayed !== null,
  };
}
