import { toDecimal } from '@laurel/amount';
import type { Json } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Execution } from '../store/executions';

/** What rules did, newest first. */
export async function listExecutions(
  { executions }: Pick<Deps, 'executions'>,
  request: api.ListExecutionsRequest,
): Promise<api.ExecutionPage> {
  const { workspace_id: workspaceId, limit, offset, from_date: from, to_date: to } = request;
  const filter = {
    ruleId: request.automation_rule_id,
    clientId: request.client_id,
    status: request.status,
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  const page = await executions.list(workspaceId, filter, { limit, offset });
  return { executions: page.executions.map(toExecutionReply), total_count: page.total };
}

/** An execution as the API shows it. */
export function toExecutionReply(execution: Execution): api.Execution {
  return {
    id: execution.id,
    automation_rule_id: execution.ruleId,
    client_id: execution.clientId,
    workspace_id: execution.workspaceId,
    trigger_event_id: execution.trigger.triggerEventId,
    effects_applied: execution.results as unknown as Json,
    points_awarded: toDecimal(execution.awarded),
    status: execution.status,
    error_message: execution.errorMessage,
    executed_at: execution.executedAt.toISOString(),
    chain: execution.chain,
    duration_ms: execution.durationMs,
  };
}
