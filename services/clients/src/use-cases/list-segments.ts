import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toSegmentReply } from './wire';

/** All segments of a workspace, newest first. */
export async function listSegments(
  { segments }: Pick<Deps, 'segments'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.SegmentList> {
  return { segments: (await segments.list(workspaceId)).map(toSegmentReply) };
}
