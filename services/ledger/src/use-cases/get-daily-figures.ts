import type { ledger as api } from '@laurel/rpc';
import { toDecimal, total, type Units, ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { type DayFlows, flowsIn, owedAfter } from '../domain/day-flows';

/** What came, went and was owed, day by day, of each wallet type that there is or of which anything moved. */
export async function getDailyFigures(
  { dailySums, walletTypes }: Pick<Deps, 'dailySums' | 'walletTypes'>,
  { workspace_id: workspaceId, day_starts, until, first_day }: api.DailyFiguresRequest,
): Promise<api.DailyFigures> {
  const [days, types] = await Promise.all([
    dailySums.of(workspaceId, day_starts, until),
    walletTypes.list(workspaceId),
  ]);
  const moved = days.flatMap((day) => (day === null ? [] : Object.keys(day)));
  const codes = new Set([...types.map(({ code }) => code), ...moved.sort()]);
  return {
    wallet_types: [...codes].map((wallet_type_code) => ({
      wallet_type_code,
      days: figuresOf(days, wallet_type_code).slice(first_day),
    })),
  };
}

/** Once a day is not summed yet, what was owed after it is unknown. */
function figuresOf(days: readonly (DayFlows | null)[], code: string): api.DayOfWalletType[] {
  let owed: Units | null = ZERO;
  let pending: Units = ZERO;
  return days.map((day) => {
    if (day === null || owed === null) {
      owed = null;
      return {};
    }
    const flows = flowsIn(day, code);
    owed = owedAfter(owed, flows);
    pending = total(pending, flows.pending);
    return {
      figure: {
        issued: toDecimal(flows.issued),
        used: toDecimal(flows.used),
        expired: toDecimal(flows.expired),
        owed: toDecimal(owed),
        pending: toDecimal(pending),
      },
    };
  });
}
