import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { operationIdOf, positiveUnits } from './operation';
import { quoted } from './quoted';
import { namedBy, resolveWallet } from './resolve-wallet';
import { spendCommand } from './spend-points';

/** What debiting points would come to as things stand; refused as SpendPoints would refuse it. */
export async function quoteSpend(
  deps: Deps,
  request: ledger.SpendRequest,
): Promise<ledger.PointsQuote> {
  positiveUnits(request.amount);
  const wallet = await resolveWallet(deps, namedBy(request));
  return quoted(deps, spendCommand(wallet, request, operationIdOf('spend', request.operation_id)));
}
