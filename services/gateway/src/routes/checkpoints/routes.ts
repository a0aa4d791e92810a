import { data, get, member, type Route } from '../../routing';
import * as schema from './schema';

const tag = 'Points';

/** Signed hourly digests over all wallet heads (part 3, section 4.3). */
export const checkpointRoutes: Route[] = [
  get(':ws/loyalty/checkpoints', {
    stack: member(),
    tag,
    summary: 'List checkpoints, newest first',
    query: schema.listCheckpoints,
    reply: schema.checkpoints,
    handle: async ({ rpc, workspaceId, query: { limit, offset = 0 } }) => {
      const request = { workspace_id: workspaceId, limit, offset };
      const { checkpoints, total_count } = await rpc.ledger.ListCheckpoints(request);
      return data(checkpoints, { total_count, returned_count: checkpoints.length, offset });
    },
  }),
  get(':ws/loyalty/checkpoints/:id', {
    stack: member(),
    tag,
    summary: 'Read a checkpoint',
    reply: schema.checkpoint,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.ledger.GetCheckpoint({ workspace_id: workspaceId, id })),
  }),
];
