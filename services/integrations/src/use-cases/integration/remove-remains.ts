import { unitOfWork } from '@laurel/mongo';
import type { IntegrationDeps } from '../../deps';
import type { IntegrationName } from './require-integration';

/**
 * Removes what an integration that is no more was still to tell, a piece at a time and only while no other has taken its
 * place: a job goes by provider and client, so those of the next one are the same rows.
 */
export async function removeRemains(
  {
    connection,
    integrations,
    outboundJobs,
  }: Pick<IntegrationDeps, 'connection' | 'integrations' | 'outboundJobs'>,
  { workspaceId, provider }: IntegrationName,
): Promise<void> {
  let more = true;
  while (more)
    more = await unitOfWork(connection, async (session) => {
      // Who makes the next one holds this lock.
      await integrations.lock(workspaceId, provider, session);
      if (await integrations.get(workspaceId, provider, session)) return false;
      return (await outboundJobs.removePiece(workspaceId, provider, session)).more;
    });
}
