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

/** The pass templates that the passes service keeps. */
export function templateDirectory(
  passes: Pick<RpcClient<'passes'>, 'GetTemplates'>,
): TemplateDirectory {
  return {
    async unknownAmong(workspaceId, templateIds) {
      const request = { workspace_id: workspaceId, ids: [...templateIds] };
      const known = new Set((await passes.GetTemplates(request)).templates.map(({ id }) => id));
      return templateIds.filter((id) => !known.has(id));
    },
  };
}
