import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';

/** What failed longer ago than that has been seen, or does not matter any more. */
const LOOK_BACK_MS = 14 * 86_400_000;

/** Rules of which executions failed lately, that with the most first. */
export async function listAttention(
  { clock, executions, rules }: Pick<Deps, 'clock' | 'executions' | 'rules'>,
  { workspace_id: workspaceId }: common.AttentionRequest,
): Promise<common.AttentionList> {
  const since = new Date(clock.now().getTime() - LOOK_BACK_MS);
  const failed = await executions.countFailedByRule(workspaceId, since);
  if (failed.length === 0) return { items: [] };
  const names = new Map((await rules.list(workspaceId)).map(({ id, name }) => [id, name]));
  return {
    items: failed
      .filter(({ ruleId }) => names.has(ruleId))
      .map(({ ruleId, count, first }) => ({
        kind: 'rule_failed',
        severity: 'error',
        count,
        since: first.toISOString(),
        subject_type: 'rule',
        subject_id: ruleId,
        subject_name: names.get(ruleId)!,
      })),
  };
}
