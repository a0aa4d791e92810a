import { platform } from '@laurel/errors';
import type { ledger } from '@laurel/rpc';
import { add, toDecimal, type Units } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { DAY_MS } from '../domain/wallet';
import { findWalletType, walletRef } from './resolve-wallet';

/** What will expire within some days, by day: the moment at which the first points of that day go, and how many do. */
export async function listExpiring(
  deps: Deps,
  request: ledger.ListExpiringRequest,
): Promise<ledger.ExpiringDays> {
  const { workspace_id: workspaceId, client_id: clientId } = request;
  const standing = await deps.standings.of(workspaceId, clientId);
  if (standing === null) throw platform.recordNotFound();
  const walletTypeCode = request.wallet_type_code;
  const type = await findWalletType(deps, { workspaceId, walletTypeCode });
  if (!type) return { days: [] };
  const ref = walletRef(workspaceId, clientId, type);
  const { wallet } = (await deps.heads.proven([ref])).get(ref.id)!;

  const until = deps.now() + request.within_days * DAY_MS;
  const days = new Map<string, { first: number; amount: Units }>();
  for (const { expiresAt, remaining } of wallet.lots) {
    if (expiresAt === null || expiresAt > until) continue;
    const day = new Date(expiresAt).toISOString().slice(0, 10);
    const known = days.get(day);
    days.set(
      day,
      known
        ? { first: Math.min(known.first, expiresAt), amount: add(known.amount, remaining) }
        : { first: expiresAt, amount: remaining },
    );
  }
  return {
    days: [...days.values()]
      .sort((a, b) => a.first - b.first)
      .map(({ first, amount }) => ({
        expires_at: new Date(first).toISOString(),
        amount: toDecimal(amount),
      })),
  };
}
