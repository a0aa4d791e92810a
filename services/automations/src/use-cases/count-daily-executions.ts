import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** How often rules ran with success, day by day. */
export async function countDailyExecutions(
  { executions }: Pick<Deps, 'executions'>,
  { workspace_id, rule_ids, day_starts: dayStarts, until }: api.DailyExecutionsRequest,
): Promise<api.DailyExecutions> {
  const counts = await executions.countByDay(workspace_id, rule_ids, { dayStarts, until });
  const rules = [...counts].map(([rule_id, executed_by_day]) => ({ rule_id, executed_by_day }));
  return { rules };
}
