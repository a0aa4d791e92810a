import type { ledger } from '@laurel/rpc';
import { negate } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { lock } from '../domain/hold';
import { onWallet } from './on-wallet';
import { answer, externalClaim, noteFrom, operationIdOf, positiveUnits } from './operation';
import { namedBy } from './resolve-wallet';

/** Sets some of a client's active points aside until they are captured or released. */
export async function lockPoints(
  deps: Deps,
  request: ledger.LockRequest,
): Promise<ledger.EntryReply> {
  const amount = positiveUnits(request.amount);
  const command = {
    ...noteFrom(request),
    amount,
    expiresInSeconds: request.expires_in_seconds,
  };
  const operationId = operationIdOf('lock', request.operation_id);
  const once = { operationId, kind: 'lock', externalId: request.external_id };
  const outcome = await onWallet(deps, { query: namedBy(request), once }, ({ ref }) =>
    deps.log.perform({
      wallet: ref,
      operationId,
      claim: externalClaim('lock', ref, request.external_id),
      decide: (wallet, moment) => lock(wallet, command, moment),
    }),
  );
  return answer(outcome, negate(amount));
}
