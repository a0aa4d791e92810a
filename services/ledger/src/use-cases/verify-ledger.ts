import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { ChainCheck } from '../store/chain-check';
import type { EntryDocument } from '../store/documents';
import { ledgerMetrics } from '../store/metrics';
import { walkLogs } from '../store/walk';
import { findWalletType } from './resolve-wallet';

const PROBLEMS_MAX = 1_000;

/**
 * Recomputes the chain of every wallet in scope from its log and compares the snapshots. Finds what was
 * changed, lost, doubled or miscounted, wherever it happened.
 */
export async function verifyLedger(
  deps: Deps,
  request: ledger.VerifyRequest,
): Promise<ledger.Verification> {
  const { workspace_id: workspaceId, wallet_type_code: code } = request;
  const type =
    code === undefined ? null : await findWalletType(deps, { workspaceId, walletTypeCode: code });
  const result = { wallets_checked: 0, entries_checked: 0, valid: true };
  const problems: ledger.Problem[] = [];
  const pairs = new Map<string, EntryDocument>();
  let check: ChainCheck | null = null;

  const scope = { workspaceId, clientId: request.client_id, walletTypeId: type?._id };
  for await (const { walletId, snapshot, entries, last } of walkLogs(deps, scope)) {
    check ??= new ChainCheck(snapshot);
    for (const entry of entries) {
      check.next(entry);
      matchPair(pairs, entry);
    }
    result.entries_checked += entries.length;
    if (!last) continue;
    check.end();
    result.wallets_checked += 1;
    problems.push(...check.problems.map((found) => ({ client_wallet_id: walletId, ...found })));
    check = null;
  }
  problems.push(...(await halves(deps, workspaceId, pairs)));
  if (result.entries_checked === 0) await requireKnownClient(deps, request);
  ledgerMetrics.verifications.inc({ outcome: problems.length === 0 ? 'sound' : 'faulty' });
  return {
    ...result,
    valid: problems.length === 0,
    problems: problems.slice(0, PROBLEMS_MAX),
  };
}

/** A deleted client's chains stay to be verified; an id that never had any must at least name a client. */
async function requireKnownClient(
  { standings }: Deps,
  { workspace_id: workspaceId, client_id: clientId }: ledger.VerifyRequest,
): Promise<void> {
  if (clientId !== undefined && (await standings.of(workspaceId, clientId)) === null)
    throw refusals.unknownClient({ field: 'client_id' });
}

/** Keeps the transfers of which only one side was met so far. */
function matchPair(pairs: Map<string, EntryDocument>, entry: EntryDocument): void {
  if (!entry.counterpart && entry.change.moved === 0) return;
  const other = entry.counterpart && pairs.get(entry.counterpart.entry_id);
  if (other && areHalves(other, entry)) pairs.delete(other._id);
  else pairs.set(entry._id, entry);
}

/**
 * Each names the other, and nothing comes out of a transfer that did not go into it, under whatever name.
 * A side that names none stands for points from nowhere, even where another names it.
 */
function areHalves(one: EntryDocument, other: EntryDocument): boolean {
  if (one.counterpart?.entry_id !== other._id || other.counterpart?.entry_id !== one._id)
    return false;
  const names = Object.keys(one.change) as (keyof typeof one.change)[];
  return names.every((name) => one.change[name] + other.change[name] === 0);
}

/** A side whose counterpart lies outside the scope is looked up; one that has none is half a transfer. */
async function halves(
  { entries }: Deps,
  workspaceId: string,
  pairs: Map<string, EntryDocument>,
): Promise<ledger.Problem[]> {
  const alone = [...pairs.values()];
  const ids = alone.flatMap(({ counterpart }) => (counterpart ? [counterpart.entry_id] : []));
  const found = ids.length === 0 ? [] : await entries.findMany(workspaceId, ids);
  const byId = new Map(found.map((entry) => [entry._id, entry]));
  return alone
    .filter((entry) => {
      const other = entry.counterpart && byId.get(entry.counterpart.entry_id);
      return !other || !areHalves(other, entry);
    })
    .map((entry) => ({
      client_wallet_id: entry.wallet_id,
      sequence: entry.sequence,
      problem: 'the other side of the transfer is missing or has another amount',
    }));
}
