import type { ledger } from '@laurel/rpc';
import { AmountRangeError } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { foretellPair } from '../store/pair-flight';
import { mergeCommand } from './merge-client-wallets';

/**
 * Whether the wallets of a client could become part of another's as things stand: refused where a sum would not be exact
 * any more. Asked before a merge begins, which then goes on until it is done. Writes nothing.
 */
export async function quoteMerge(
  deps: Deps,
  request: ledger.MergeClientWalletsRequest,
): Promise<ledger.MergeQuote> {
  const types = await deps.walletTypes.list(request.workspace_id);
  await Promise.all(types.map((type) => foretold(deps, mergeCommand(request, type))));
  return {};
}

async function foretold(deps: Deps, pair: ReturnType<typeof mergeCommand>): Promise<void> {
  try {
    await foretellPair(deps, pair);
  } catch (error) {
    throw error instanceof AmountRangeError ? refusals.mergeOutOfRange() : error;
  }
}
