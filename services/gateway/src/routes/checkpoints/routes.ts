import { data, get, member, type Route } from '../../routing';
import * as schema from './schema';

const tag = 'Points';

/** Signed hourly digests over all wallet heads (part 3, section 4.3). */
export const checkpointRoutes: Route[] = [
  get(':ws/loyalty/checkpoints', {
    stack: member(),
    tag,
    summary: 'List checkpoints, newest first',
    description:
      'Once an hour the heads of all wallets are signed together. Whoever keeps a checkpoint elsewhere can prove later that the ledger of that hour was not rewritten.',
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
    description:
      'The root over the wallets of the workspace with its Ed25519 signature and the public key that checks it, for auditors and `laurel-verify`.',
    reply: schema.checkpoint,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.ledger.GetCheckpoint({ workspace_id: workspaceId, id })),
  }),
];
