import type { Json } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { Execution } from '../store/execution-document';

/** What rules did, newest first. */
export async function listExecutions(
  deps: Pick<Deps, 'clients' | 'executions' | 'rules'>,
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
  const page = await deps.executions.list(workspaceId, filter, { limit, offset });
  if (page.total === 0) await requireKnown(deps, request);
  return { executions: page.executions.map(toExecutionReply), total_count: page.total };
}

/** What rules and clients that are gone did stays; an id that never did anything must at least name something. */
async function requireKnown(
  { clients, executions, rules }: Pick<Deps, 'clients' | 'executions' | 'rules'>,
  {
    workspace_id: workspaceId,
    client_id: clientId,
    automation_rule_id: ruleId,
  }: api.ListExecutionsRequest,
): Promise<void> {
  const hasAny = async (whose: { clientId: string } | { ruleId: string }) =>
    (await executions.list(workspaceId, whose, { limit: 1, offset: 0 })).total > 0;
  if (ruleId !== undefined && !(await rules.find(workspaceId, ruleId)))
    if (!(await hasAny({ ruleId }))) throw refusals.unknownRule({ field: 'automation_rule_id' });
  if (clientId === undefined) return;
  const found = await clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  if (found.clients.length === 0 && !(await hasAny({ clientId })))
    throw refusals.unknownClient({ field: 'client_id' });
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
