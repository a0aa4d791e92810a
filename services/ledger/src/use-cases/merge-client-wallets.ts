import { mergePerson } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { ClosingReason } from '../domain/close';
import { merge } from '../domain/merge';
import { BREAKAGE_SOURCES } from '../domain/statement';
import { refuseClosed } from '../domain/wallet';
import type { WalletRef } from '../store/documents';
import { type PairCommand, type PairOutcome, pairOf } from '../store/pair-flight';
import { saysClosed, whereItWent } from './at-home';
import { closeWallet } from './close-client-wallets';
import { walletRef } from './resolve-wallet';
import { scrubClient } from './scrub-client';
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
  const { workspace_id: workspaceId, source_client_id: source, target_client_id: target } = request;
  const types = await deps.walletTypes.list(workspaceId);
  const pairs = await Promise.all(
    types.map((type) =>
      mergeWallet(deps, walletRef(workspaceId, source, type), walletRef(workspaceId, target, type)),
    ),
  );
  // Who had no points yet leaves no trace in the log; what a rule earns for their sales later is the target's.
  await mergePerson(deps, { workspaceId, source, target });
  return { transfers: pairs.flatMap((pair) => (pair ? transfersOf(pair) : [])) };
}

function transfersOf({ entries, replayed }: PairOutcome): ledger.TransferReply[] {
  if (!entries) return [];
  const [out, into] = entries;
  return [
    {
      transfer_out: toEntryReply(out),
      transfer_in: toEntryReply(into),
      replayed: replayed !== null,
    },
  ];
}

/** What moves all of the source's wallet to the target's. */
export function mergeCommand(source: WalletRef, target: WalletRef): PairCommand {
  const [sourceClientId, targetClientId] = [source.clientId, target.clientId];
  const operation = `merge:${sourceClientId}:${targetClientId}:${source.walletTypeId}`;
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

/**
 * Moves one wallet to another. Merges and endings need not come here in the order in which they were asked for: where the
 * target became part of a third meanwhile, everything goes there, and where its client is gone, it ends as theirs did.
 */
async function mergeWallet(
  deps: Deps,
  source: WalletRef,
  target: WalletRef,
): Promise<PairOutcome | null> {
  if (!(await deps.figures.of(source.workspaceId, [source.id])).has(source.id)) return null;
  try {
    return await whereItWent(deps, target, async (home) => {
      const outcome = await deps.log.performPair(mergeCommand(source, home));
      return outcome.entries ? outcome : earlierMerge(deps, source);
    });
  } catch (error) {
    const reason = saysClosed(error) ? await endOf(deps, target) : undefined;
    if (!reason) throw error;
    await closeWallet(deps, source, reason);
    await scrubClient(deps, { workspace_id: source.workspaceId, client_id: source.clientId });
    return null;
  }
}

/** The pair by which a wallet ended before; null where it ended otherwise. */
async function earlierMerge(
  { heads, entries }: Pick<Deps, 'heads' | 'entries'>,
  source: WalletRef,
): Promise<PairOutcome | null> {
  const { wallet } = (await heads.proven([source])).get(source.id)!;
  if (!wallet.closing?.successor) return null;
  const entry = (await entries.findAt(source.workspaceId, source.id, wallet.sequence))!;
  return pairOf(entries, { entry, replayed: 'operation' });
}

/** Why a wallet is closed for good, wherever it went; undefined where it is not. */
const endOf = (deps: Deps, wallet: WalletRef): Promise<ClosingReason | undefined> =>
  whereItWent(deps, wallet, async (home) => {
    const newest = (await deps.figures.of(home.workspaceId, [home.id])).get(home.id);
    const last = await deps.entries.findAt(home.workspaceId, home.id, newest?.sequence ?? 0);
    return BREAKAGE_SOURCES.find((reason) => reason === last?.source_type);
  });
