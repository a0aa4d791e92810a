import type { EventOf, Once } from '@laurel/events';
import type { PassDeps } from '../../deps';
import { catchUp } from '../catch-up';
import { syncTier } from './sync-tier';

/**
 * Looks after a pass that has just been given to a client: it takes on what the client's tier asks for. Of a client that
 * was merged or erased at the very moment, so that the news of it came before the pass, it follows the others.
 */
export async function welcomePass(
  deps: PassDeps,
  event: EventOf<'passes.pass_created' | 'passes.pass_updated'>,
  once: Once,
): Promise<void> {
  const { workspaceid: workspaceId } = event;
  const { client_id: clientId } = event.data;
  if (clientId === null) return;
  await catchUp(deps, { workspaceId, clientId });
  // Staff who put the pass on another template meant it: a tier does not take that back.
  if (event.data.previous_template_id !== undefined) return;
  const found = await deps.clients.GetClients({ workspace_id: workspaceId, ids: [clientId] });
  // One that is gone departs here as well, when the news of it comes.
  if (found.clients.length > 0) await syncTier(deps, { workspaceId, clientId }, once);
}
