import type { Deps } from '../deps';

/** Drops what rules remember of a person. That a rule ran stays, as the points it gave do. */
export async function forgetClient(
  { executions, triggerBacklog, usages }: Pick<Deps, 'executions' | 'triggerBacklog' | 'usages'>,
  workspaceId: string,
  clientId: string,
): Promise<void> {
  await triggerBacklog.removeClient(workspaceId, clientId);
  await executions.scrubClient(workspaceId, clientId);
  await usages.removeClient(workspaceId, clientId);
}
