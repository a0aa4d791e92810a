import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { ChainCheck } from '../store/chain-check';
import { ledgerMetrics } from '../store/metrics';
import { walkLogs } from '../store/walk';
import { findWalletType } from './resolve-wallet';
import { createHalves } from './transfer-halves';

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
  const report = (found: readonly ledger.Problem[]): void => {
    if (found.length > 0) result.valid = false;
    problems.push(...found.slice(0, PROBLEMS_MAX - problems.length));
  };
  const halves = createHalves(deps, workspaceId);
  let check: ChainCheck | null = null;

  const scope = { workspaceId, clientId: request.client_id, walletTypeId: type?._id };
  for await (const { walletId, snapshot, entry } of walkLogs(deps, scope)) {
    check ??= new ChainCheck(snapshot);
    if (entry) check.next(entry);
    else check.end();
    report(check.takeProblems().map((found) => ({ client_wallet_id: walletId, ...found })));
    if (entry) {
      report(await halves.add(entry));
      result.entries_checked += 1;
    } else {
      result.wallets_checked += 1;
      check = null;
    }
  }
  report(await halves.end());
  if (result.entries_checked === 0) await requireKnownClient(deps, request);
  ledgerMetrics.verifications.inc({ outcome: result.valid ? 'sound' : 'faulty' });
  return { ...result, problems };
}

/** A deleted client's chains stay to be verified; an id that never had any must at least name a client. */
async function requireKnownClient(
  { standings }: Deps,
  { workspace_id: workspaceId, client_id: clientId }: ledger.VerifyRequest,
): Promise<void> {
  if (clientId !== undefined && (await standings.of(workspaceId, clientId)) === null)
    throw refusals.unknownClient({ field: 'client_id' });
}
