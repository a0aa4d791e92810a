import { mergePerson } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { merge } from '../domain/merge';
import { refuseClosed } from '../domain/wallet';
import type { EntryDocument } from '../store/documents';
import type { PairCommand } from '../store/pair-flight';
import type { WalletTypeDocument } from '../store/wallet-types';
import { walletRef } from './resolve-wallet';
import { toEntryReply } from './wire';

/**
 * Moves everything in the wallets of one client to those of another, one transfer_out / transfer_in pair per
 * wallet type. The source's wallets end with that: what refers to them is led on to the target's. May be
 * repeated; it moves what came in since.
 */
export async function mergeClientWallets(
  deps: Deps,
  request: ledger.MergeClientWalletsRequest,
): Promise<ledger.MergeClientWalletsReply> {
  const types = await deps.walletTypes.list(request.workspace_id);
  const pairs = await Promise.all(types.map((type) => mergeWallet(deps, request, type)));
  // Who had no points yet leaves no trace in the log; what a rule earns for their sales later is the target's.
  const { workspace_id: workspaceId, source_client_id: source, target_client_id: target } = request;
  await mergePerson(deps, { workspaceId, source, target });
  return {
    transfers: pairs.flatMap((pair) =>
      pair
        ? [
            {
              transfer_out: toEntryReply(pair.entries[0]),
              transfer_in: toEntryReply(pair.entries[1]),
              replayed: pair.replayed,
            },
          ]
        : [],
    ),
  };
}

/** What moves all of the source's wallet of one type to the target's. */
export function mergeCommand(
  {
    workspace_id: workspaceId,
    source_client_id: sourceClientId,
    target_client_id: targetClientId,
  }: ledger.MergeClientWalletsRequest,
  type: WalletTypeDocument,
): PairCommand {
  const source = walletRef(workspaceId, sourceClientId, type);
  const target = walletRef(workspaceId, targetClientId, type);
  const operation = `merge:${sourceClientId}:${targetClientId}:${type._id}`;
  return {
    commands: [
      { wallet: source, operationId: `${operation}:out` },
      { wallet: target, operationId: `${operation}:in` },
    ],
    decide: ([giving, receiving]) => {
      if (giving.closing) return null;
      refuseClosed(receiving);
      return merge(giving, receiving, { sourceClientId, targetClientId, successor: target.id });
    },
  };
}

async function mergeWallet(
  { log, heads, entries }: Deps,
  request: ledger.MergeClientWalletsRequest,
  type: WalletTypeDocument,
): Promise<{ entries: readonly [EntryDocument, EntryDocument]; replayed: boolean } | null> {
  const { workspace_id: workspaceId } = request;
  const pair = mergeCommand(request, type);
  const [giving, receiving] = pair.commands;
  const head = (await heads.proven([giving.wallet])).get(giving.wallet.id)!;
  if (head.wallet.sequence === 0) return null;
  const outcome = await log.performPair(pair);
  if (outcome.entries) return { entries: outcome.entries, replayed: outcome.replayed !== null };
  const [out, into] = await Promise.all([
    entries.findByOperation(workspaceId, giving.operationId),
    entries.findByOperation(workspaceId, receiving.operationId),
  ]);
  return out && into ? { entries: [out, into], replayed: true } : null;
}
