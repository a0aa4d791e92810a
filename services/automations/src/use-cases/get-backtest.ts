import type { automations as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toBacktestReply } from './wire';

/** A backtest and what it found so far. */
export async function getBacktest(
  { backtests }: Pick<Deps, 'backtests'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Backtest> {
  const found = await backtests.find(workspaceId, id);
  if (!found) throw refusals.backtestNotFound();
  return toBacktestReply(found);
}
