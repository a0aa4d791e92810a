import type { ledger } from '@laurel/rpc';
import { AmountRangeError } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { foretellPair } from '../store/pair-flight';
import { mergeCommand } from './merge-client-wallets';
import { walletRef } from './resolve-wallet';

/**
 * Whether the wallets of a client could become part of another's as things stand: refused where a sum would not be exact
 * any more. Asked before a merge begins, which then goes on until it is done. Writes nothing.
 */
export async function quoteMerge(
  deps: Deps,
  request: ledger.MergeClientWalletsRequest,
): Promise<ledger.MergeQuote> {
  const { workspace_id: workspaceId, source_client_id: source, target_client_id: target } = request;
  const types = await deps.walletTypes.list(workspaceId);
  const pairs = types.map((type) =>
    mergeCommand(walletRef(workspaceId, source, type), walletRef(workspaceId, target, type)),
  );
  await Promise.all(pairs.map((pair) => foretold(deps, pair)));
  return {};
}

async function foretold(deps: Deps, pair: ReturnType<typeof mergeCommand>): Promise<void> {
  try {
    await foretellPair(deps, pair);
  } catch (error) {
    throw error instanceof AmountRangeError ? refusals.mergeOutOfRange() : error;
  }
}
