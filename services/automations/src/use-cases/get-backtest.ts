import type { automations as api, common } from '@laurel/rpc';
import { toDecimal, unitsOf } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { approximationsFor } from '../domain/history';
import { refusals } from '../refusals';
import type { Backtest } from '../store/backtests';

/** A backtest and what it found so far. */
export async function getBacktest(
  { backtests }: Pick<Deps, 'backtests'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Backtest> {
  const found = await backtests.find(workspaceId, id);
  if (!found) throw refusals.backtestNotFound();
  return toBacktestReply(found);
}

export function toBacktestReply(backtest: Backtest): api.Backtest {
  const { id, status, progress, tally, error, rule } = backtest;
  const { events, matches, clients, points, days, sample } = tally;
  const decimal = (units: number) => toDecimal(unitsOf(units));
  return {
    id,
    status,
    progress,
    events_replayed: events,
    matches,
    clients,
    points: decimal(points),
    by_day: days.map((day) => ({ ...day, points: decimal(day.points) })),
    sample,
    approximations: approximationsFor(rule),
    error,
  };
}
