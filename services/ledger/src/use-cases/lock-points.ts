import { negate } from '@laurel/amount';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { lock } from '../domain/hold';
import { answer, externalClaim, noteFrom, operationIdOf, positiveUnits } from './operation';
import { resolveWallet } from './resolve-wallet';

/** Sets some of a client's active points aside until they are captured or released. */
export async function lockPoints(
  deps: Deps,
  request: ledger.LockRequest,
): Promise<ledger.EntryReply> {
  const amount = positiveUnits(request.amount);
  const { ref } = await resolveWallet(deps, {
    workspaceId: request.workspace_id,
    clientId: request.client_id,
    walletTypeCode: request.wallet_type_code,
  });
  const command = {
    ...noteFrom(request),
    amount,
    expiresInSeconds: request.expires_in_seconds,
  };
  const outcome = await deps.log.perform({
    wallet: ref,
    operationId: operationIdOf('lock', request.operation_id),
    claim: externalClaim('lock', ref, request.external_id),
    decide: (wallet, moment) => lock(wallet, command, moment),
  });
  return answer(outcome, negate(amount));
}
