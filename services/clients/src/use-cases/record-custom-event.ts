import { Refusal } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { commitEvents } from './commit-events';
import { findRecorded } from './find-recorded';
import { requirePass } from './record-engagement';
import { metadataOf } from './record-events';
import { reportedEvent } from './reported-event';
import { toRecordingReply } from './wire';

/** Records an event of a workspace's own making, about a client or a pass; once under an external_id, even if they are gone. */
export async function recordCustomEvent(
  deps: Deps,
  request: api.RecordCustomEventRequest,
): Promise<api.Event> {
  const { workspace_id: workspaceId } = request;
  let clientId: string | null;
  try {
    clientId = await whomItIsAbout(deps, request);
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || !(await wasThere(deps, request))) throw refusal;
    const [earlier] = await findRecorded(deps, [workspaceId], [request]);
    if (!earlier) throw refusal;
    return toRecordingReply(earlier);
  }
  const event = reportedEvent(deps, 'custom', { clientId, report: request });
  const details = {
    external_id: request.external_id ?? null,
    metadata: metadataOf(request.metadata),
  };
  const [written] = await commitEvents(deps, [{ ...event, ...details }]);
  return toRecordingReply(written!);
}

/** The client that was named, else whose pass it is. Both must be of the workspace. */
async function whomItIsAbout(
  deps: Deps,
  { workspace_id, client_id, pass_id }: api.RecordCustomEventRequest,
): Promise<string | null> {
  const pass = pass_id === undefined ? null : await requirePass(deps, workspace_id, pass_id);
  if (client_id === undefined) return pass?.clientId ?? null;
  const client = await deps.clients.look(workspace_id, client_id);
  if (!client) throw refusals.unknownClient({ field: 'client_id' });
  return client_id;
}

/** Whether the client that was named, where one was, was one of the workspace before: what never was has no repeats. */
async function wasThere(
  { clients, tombstones }: Pick<Deps, 'clients' | 'tombstones'>,
  { workspace_id: workspaceId, client_id: clientId }: api.RecordCustomEventRequest,
): Promise<boolean> {
  if (clientId === undefined) return true;
  if (await clients.look(workspaceId, clientId)) return true;
  return (await tombstones.findMany(workspaceId, [clientId])).has(clientId);
}
