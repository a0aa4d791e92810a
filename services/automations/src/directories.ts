import type { RpcClient } from '@laurel/rpc';
import type { SegmentDirectory, TemplateDirectory } from './deps';

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
    async containing(workspaceId, segmentIds, clientId) {
      const request = { workspace_id: workspaceId, segment_ids: [...segmentIds] };
      return (await clients.SegmentsContaining({ ...request, client_id: clientId })).ids;
    },
  };
}

/** The answer while no service keeps pass templates: every id names nothing. */
export const noTemplates: TemplateDirectory = {
  unknownAmong: async (_workspaceId, templateIds) => [...templateIds],
};
