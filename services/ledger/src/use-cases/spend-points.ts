import { negate } from '@laurel/amount';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { spend } from '../domain/spend';
import type { Command } from '../store/command';
import { answer, externalClaim, noteFrom, operationIdOf, positiveUnits } from './operation';
import { namedBy, type ResolvedWallet, resolveWallet } from './resolve-wallet';

/** Debits a client's active points, oldest first. */
export async function spendPoints(
  deps: Deps,
  request: ledger.SpendRequest,
): Promise<ledger.EntryReply> {
  const amount = positiveUnits(request.amount);
  const wallet = await resolveWallet(deps, namedBy(request));
  const operationId = operationIdOf('spend', request.operation_id);
  return answer(await deps.log.perform(spendCommand(wallet, request, operationId)), negate(amount));
}

export function spendCommand(
  { ref, rules }: ResolvedWallet,
  request: ledger.SpendRequest,
  operationId: string,
): Command {
  const command = { ...noteFrom(request), amount: positiveUnits(request.amount) };
  return {
    wallet: ref,
    operationId,
    claim: externalClaim('spend', ref, request.external_id),
    decide: (wallet) => spend({ wallet, rules }, command),
  };
}
