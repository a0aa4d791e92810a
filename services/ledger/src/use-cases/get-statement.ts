import type { ledger } from '@laurel/rpc';
import { toDecimal, total } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type Balances, statementOf } from '../domain/statement';
import { sumDebts, sumMovements } from '../store/statement-sums';
import { findWalletType } from './resolve-wallet';

/** What came and went in the wallets of one type between two moments, for accountants (part 4, section 7). */
export async function getStatement(
  deps: Deps,
  request: ledger.StatementRequest,
): Promise<ledger.Statement> {
  const { workspace_id: workspaceId, wallet_type_code: walletTypeCode } = request;
  const type = await findWalletType(deps, { workspaceId, walletTypeCode });
  const scope = { workspaceId, walletTypeId: type!._id, ...periodOf(deps, request) };
  const [movements, { wallets, debts }] = await Promise.all([
    sumMovements(deps, scope),
    sumDebts(deps, scope),
  ]);
  const { opening, closing, ...figures } = statementOf(movements);
  const amounts = Object.fromEntries(
    Object.entries(figures).map(([name, units]) => [name, toDecimal(units)]),
  ) as Record<keyof typeof figures, number>;
  return {
    opening: toBalances(opening),
    ...amounts,
    closing: toBalances(closing),
    debts: toDecimal(total(debts)),
    wallets,
  };
}

/** A statement without an end ends now, so that all of its parts are read up to the same moment. */
export function periodOf(
  { now }: Pick<Deps, 'now'>,
  { from_date, to_date }: { from_date?: string | undefined; to_date?: string | undefined },
): { from: Date | undefined; to: Date } {
  return {
    from: from_date === undefined ? undefined : new Date(from_date),
    to: new Date(to_date ?? now()),
  };
}

export function toBalances({ active, pending, locked, total }: Balances): ledger.Balances {
  return {
    active: toDecimal(active),
    pending: toDecimal(pending),
    locked: toDecimal(locked),
    total: toDecimal(total),
  };
}
