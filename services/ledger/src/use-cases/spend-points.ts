import type { ledger } from '@laurel/rpc';
import { negate } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { spend } from '../domain/spend';
import type { Command } from '../store/command';
import { onWallet } from './on-wallet';
import { answer, externalClaim, noteFrom, operationIdOf, positiveUnits } from './operation';
import { namedBy, type ResolvedWallet } from './resolve-wallet';

/** Debits a client's active points, oldest first. */
export async function spendPoints(
  deps: Deps,
  request: ledger.SpendRequest,
): Promise<ledger.EntryReply> {
  const amount = positiveUnits(request.amount);
  const operationId = operationIdOf('spend', request.operation_id);
  const once = { operationId, kind: 'spend', externalId: request.external_id };
  const outcome = await onWallet(deps, { query: namedBy(request), once }, (wallet) =>
    deps.log.perform(spendCommand(wallet, request, operationId)),
  );
  return answer(outcome, negate(amount));
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
