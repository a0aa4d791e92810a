import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { liabilitiesAt, liabilitiesNow, sumFlows } from '../store/sums';
import { findWalletType } from './resolve-wallet';

/**
 * What came and went in a time, gross and as positive figures, and what is owed at its end: only wallets
 * above zero are a liability.
 */
export async function summarizePoints(
  deps: Deps,
  request: ledger.SummaryRequest,
): Promise<ledger.Summary> {
  const { workspace_id: workspaceId, wallet_type_code: code } = request;
  const type =
    code === undefined ? null : await findWalletType(deps, { workspaceId, walletTypeCode: code });
  const scope = { workspaceId, walletTypeId: type?._id };
  const from = request.from_date === undefined ? undefined : new Date(request.from_date);
  const to = request.to_date === undefined ? undefined : new Date(request.to_date);
  const past = to !== undefined && to.getTime() < deps.now();
  const [{ total, buckets }, owed] = await Promise.all([
    sumFlows(deps, { ...scope, from, to }, request.group_by_time),
    past ? liabilitiesAt(deps, scope, to) : liabilitiesNow(deps, scope),
  ]);
  return { ...total, ...owed, buckets };
}
