import type { EventOf, Once } from '@laurel/events';
import type { PassDeps } from '../../deps';
import { removeClientPasses } from './forget-client';
import { syncTier } from './sync-tier';

/**
 * Looks after a pass that has just been given to a client: it takes on what the client's tier asks for. A client that
 * was deleted at the very moment, so that the news of it came before the pass, takes its passes along.
 */
export async function welcomePass(
  deps: PassDeps,
  event: EventOf<'passes.pass_created' | 'passes.pass_updated'>,
  once: Once,
): Promise<void> {
  const { workspaceid: workspaceId } = event;
  const { client_id: clientId } = event.data;
  // Whoever put the pass on another template meant it: a tier does not take that back.
  if (clientId === null || event.data.previous_template_id !== undefined) return;
  const found = await deps.clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  if (found.clients.length > 0) return syncTier(deps, { workspaceId, clientId }, once);
  await once((session) => removeClientPasses(deps, workspaceId, clientId, session));
}
