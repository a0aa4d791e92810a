import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { earnCommand } from './earn-points';
import { operationIdOf, positiveUnits } from './operation';
import { quoted } from './quoted';
import { namedBy, resolveWallet } from './resolve-wallet';

/** What crediting points would come to as things stand; refused as EarnPoints would refuse it. */
export async function quoteEarn(
  deps: Deps,
  request: ledger.EarnRequest,
): Promise<ledger.PointsQuote> {
  positiveUnits(request.amount);
  const wallet = await resolveWallet(deps, namedBy(request));
  return quoted(deps, earnCommand(wallet, request, operationIdOf('earn', request.operation_id)));
}
