import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { commitEvents } from './commit-events';
import { lookUpPasses } from './look-up-passes';
import { metadataOf } from './record-events';
import { reportedEvent } from './reported-event';
import { toEventReply } from './wire';

/** Records that a client came, left or was scanned. Client and pass must be of the workspace. */
export async function recordEngagement(
  deps: Deps,
  request: api.RecordEngagementRequest,
): Promise<api.Event> {
  const { workspace_id: workspaceId, client_id: clientId, pass_id: passId } = request;
  const client = await deps.clients.look(workspaceId, clientId);
  if (!client) throw refusals.unknownClient({ field: 'client_id' });
  if (passId !== undefined) await requirePass(deps, workspaceId, passId);
  const event = reportedEvent(deps, 'engagement', { clientId, report: request });
  const [written] = await commitEvents(deps, [
    { ...event, metadata: metadataOf(request.metadata) },
  ]);
  return toEventReply(written!.event);
}

/** The pass, if it is of the workspace; refused on `pass_id` otherwise. */
export async function requirePass(
  deps: Pick<Deps, 'passes' | 'passKeeper'>,
  workspaceId: string,
  passId: string,
) {
  const [pass] = await lookUpPasses(deps, [passId]);
  if (pass?.workspaceId !== workspaceId) throw refusals.unknownPass({ field: 'pass_id' });
  return pass;
}
