import { parseJson } from '@laurel/errors';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../deps';

/** What this service holds of a person: what arrived about them, and where they are told of. */
export async function exportClient(
  { messages, outboundJobs }: Pick<IntegrationDeps, 'messages' | 'outboundJobs'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientExport> {
  const [received, told] = await Promise.all([
    messages.ofClient(workspaceId, clientId),
    outboundJobs.ofClient(workspaceId, clientId),
  ]);
  return {
    data: {
      inbox_messages: received.map(({ _id, provider, body, received_at }) => ({
        id: _id,
        provider,
        body: parseJson(body),
        received_at: received_at.toISOString(),
      })),
      outbound: told.map(({ provider, external_id, updated_at }) => ({
        provider,
        external_id,
        updated_at: updated_at.toISOString(),
      })),
    },
  };
}
