import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toExecutionReply } from './wire';

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
