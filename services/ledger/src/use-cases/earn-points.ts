import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { earn } from '../domain/earn';
import type { Command } from '../store/command';
import { onWallet } from './on-wallet';
import { answer, externalClaim, noteFrom, operationIdOf, positiveUnits } from './operation';
import { namedBy, type ResolvedWallet } from './resolve-wallet';

/** Credits points to a client, pending or active, as far as they fit under the cap. */
export async function earnPoints(
  deps: Deps,
  request: ledger.EarnRequest,
): Promise<ledger.EntryReply> {
  const amount = positiveUnits(request.amount);
  const operationId = operationIdOf('earn', request.operation_id);
  const once = { operationId, kind: 'earn', externalId: request.external_id };
  const outcome = await onWallet(deps, { query: namedBy(request), once }, (wallet) =>
    deps.log.perform(earnCommand(wallet, request, operationId)),
  );
  return answer(outcome, amount);
}

export function earnCommand(
  { ref, rules }: ResolvedWallet,
  request: ledger.EarnRequest,
  operationId: string,
): Command {
  const command = {
    ...noteFrom(request),
    amount: positiveUnits(request.amount),
    pendingDays: request.pending_days,
    expiryDays: request.expiry_days,
  };
  return {
    wallet: ref,
    operationId,
    claim: externalClaim('earn', ref, request.external_id),
    decide: (wallet, moment) => earn({ wallet, rules }, command, moment),
  };
}
