import { invalidField } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { AMOUNT_MAX, isAmount, toUnits, type Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { adjust } from '../domain/adjust';
import type { Command } from '../store/command';
import { onWallet } from './on-wallet';
import { answer, externalClaim, noteFrom, operationIdOf } from './operation';
import { namedBy, type ResolvedWallet } from './resolve-wallet';

/** Moves a client's active balance by hand, up or down. */
export async function adjustPoints(
  deps: Deps,
  request: ledger.AdjustRequest,
): Promise<ledger.EntryReply> {
  const amount = signedUnits(request.amount);
  const operationId = operationIdOf('adjust', request.operation_id);
  const once = { operationId, kind: 'adjust', externalId: request.external_id };
  const outcome = await onWallet(deps, { query: namedBy(request), once }, (wallet) =>
    deps.log.perform(adjustCommand(wallet, request, operationId)),
  );
  return answer(outcome, amount);
}

export function adjustCommand(
  { ref, rules }: ResolvedWallet,
  request: ledger.AdjustRequest,
  operationId: string,
): Command {
  const command = {
    ...noteFrom(request),
    amount: signedUnits(request.amount),
    expiryDays: request.expiry_days,
  };
  return {
    wallet: ref,
    operationId,
    claim: externalClaim('adjust', ref, request.external_id),
    decide: (wallet, moment) => adjust({ wallet, rules }, command, moment),
  };
}

function signedUnits(amount: number): Units {
  if (!isAmount(amount) || amount === 0)
    throw invalidField(
      'amount',
      `amount must not be 0, be within ${AMOUNT_MAX}, and have at most 4 decimal places`,
    );
  return toUnits(amount);
}
