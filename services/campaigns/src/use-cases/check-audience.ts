import { invalidPayload, type Problem } from '@laurel/errors';
import type { Deps } from '../deps';
import type { Campaign } from '../domain/campaign';
import { refusals } from '../refusals';
import { inBatches } from './batches';

type Audience = Partial<Pick<Campaign, 'segment_id' | 'manual_client_ids'>>;

/** Refuses an audience that names a segment or clients which the workspace does not have. */
export async function checkAudience(
  deps: Pick<Deps, 'clients'>,
  workspaceId: string,
  { segment_id: segmentId = null, manual_client_ids: clientIds = [] }: Audience,
): Promise<void> {
  await requireSegment(deps, workspaceId, segmentId);
  await requireClients(deps, workspaceId, { clientIds, field: 'manual_client_ids' });
}

export async function requireSegment(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  segmentId: string | null,
): Promise<void> {
  if (segmentId === null) return;
  const found = await clients.GetSegments({ workspace_id: workspaceId, ids: [segmentId] });
  if (found.segments.length === 0) throw refusals.unknownSegment({ field: 'segment_id' });
}

/** Refuses ids that name no client of the workspace, each with its place in the list. */
export async function requireClients(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  { clientIds, field }: { clientIds: readonly string[]; field: string },
): Promise<void> {
  const known = new Set<string>();
  for (const ids of inBatches(clientIds)) {
    const found = await clients.GetClients({ workspace_id: workspaceId, ids });
    for (const { id } of found.clients) known.add(id);
  }
  const problems = clientIds.flatMap((id, index): Problem[] =>
    known.has(id)
      ? []
      : [
          {
            field: `${field}.${index}`,
            message: `${field}.${index}: there is no such client in the workspace`,
          },
        ],
  );
  if (problems.length > 0) throw invalidPayload(problems);
}
