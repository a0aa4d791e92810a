import type { Json } from '@laurel/errors';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toExecutionReply } from './list-executions';

/** What rules did to a person (right of access). */
export async function exportClient(
  { executions }: Pick<Deps, 'executions'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const found = await executions.ofClient(workspaceId, clientId);
  return { data: { automation_executions: found.map(toExecutionReply) as unknown as Json } };
}
