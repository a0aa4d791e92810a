import { mapAtOnce } from '@laurel/lifecycle';
import type { ledger } from '@laurel/rpc';
import type { Deps } from '../deps';
import { liabilitiesAt, liabilitiesNow, sumFlows } from '../store/sums';
import { findWalletType } from './resolve-wallet';

/** Each sums all entries of its type in the time: a workspace with a hundred types has no hundred such sums made at once. */
const AT_ONCE = 4;

type Figures = Omit<ledger.Summary, 'by_wallet_type'>;

/**
 * What came and went in a time, gross and as positive figures, and what is owed at its end: only wallets
 * above zero are a liability. Over all wallet types also of each of them, since points, stamps and euros do not add up.
 */
export async function summarizePoints(
  deps: Deps,
  request: ledger.SummaryRequest,
): Promise<ledger.Summary> {
  const { workspace_id: workspaceId, wallet_type_code: walletTypeCode } = request;
  if (walletTypeCode !== undefined) {
    const type = await findWalletType(deps, { workspaceId, walletTypeCode });
    return { ...(await figuresOf(deps, request, type!._id)), by_wallet_type: [] };
  }
  const types = await deps.walletTypes.list(workspaceId);
  const all = await figuresOf(deps, request, undefined);
  const each = await mapAtOnce(types, AT_ONCE, ({ _id }) =>
    figuresOf(deps, { ...request, group_by_time: undefined }, _id),
  );
  return {
    ...all,
    by_wallet_type: each.map(({ buckets: _none, ...figures }, index) => ({
      wallet_type_code: types[index]!.code,
      ...figures,
    })),
  };
}

async function figuresOf(
  deps: Deps,
  request: ledger.SummaryRequest,
  walletTypeId: string | undefined,
): Promise<Figures> {
  const scope = { workspaceId: request.workspace_id, walletTypeId };
  const from = request.from_date === undefined ? undefined : new Date(request.from_date);
  const to = request.to_date === undefined ? undefined : new Date(request.to_date);
  const past = to !== undefined && to.getTime() < deps.now();
  const [{ total, buckets }, owed] = await Promise.all([
    sumFlows(deps, { ...scope, from, to }, request.group_by_time),
    past ? liabilitiesAt(deps, scope, to) : liabilitiesNow(deps, scope),
  ]);
  return { ...total, ...owed, buckets };
}
