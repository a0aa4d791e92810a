import type { Deps } from '../deps';

/** Drops what rules remember of a person. That a rule ran stays, as the points it gave do. */
export async function forgetClient(
  { executions, usages }: Pick<Deps, 'executions' | 'usages'>,
  workspaceId: string,
  clientId: string,
): Promise<void> {
  await executions.scrubClient(workspaceId, clientId);
  await usages.removeClient(workspaceId, clientId);
}
