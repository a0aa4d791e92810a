import type { RpcClient } from './client';
import type { KnownStanding } from './generated/clients';

/** The segments of a workspace, as far as services that may name one need them. */
export interface SegmentDirectory {
  /** Those of the ids that name no segment of the workspace. */
  unknownAmong(workspaceId: string, segmentIds: readonly string[]): Promise<string[]>;
  /** Those of the segments that a client is in, as it stands if somebody says how. */
  containing(
    workspaceId: string,
    segmentIds: readonly string[],
    client: { id: string; standing?: KnownStanding },
  ): Promise<string[]>;
}

/** The segments that the clients service keeps. */
export function segmentDirectory(
  clients: Pick<RpcClient<'clients'>, 'GetSegments' | 'SegmentsContaining'>,
): SegmentDirectory {
  return {
    async unknownAmong(workspaceId, segmentIds) {
      const request = { workspace_id: workspaceId, ids: [...segmentIds] };
      const known = new Set((await clients.GetSegments(request)).segments.map(({ id }) => id));
      return segmentIds.filter((id) => !known.has(id));
    },
    async containing(workspaceId, segmentIds, { id, ...known }) {
      const request = { workspace_id: workspaceId, segment_ids: [...segmentIds] };
      return (await clients.SegmentsContaining({ ...request, client_id: id, ...known })).ids;
    },
  };
}
