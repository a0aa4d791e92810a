import { invalidField } from '@laurel/errors';
import type { rewards as api } from '@laurel/rpc';
import { data, del, get, member, message, patch, post, type Route, versioned } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import { isUuid } from '../../schema/types';
import { withMeasures } from './expand-rows';
import { presentSaved } from './present';
import { redemptionRoutes } from './redemptions';
import * as schema from './schema';

const tag = 'Rewards and redemptions';

/** The catalogue of rewards (part 1, Rewards and redemptions; part 3, section 6). */
export const rewardRoutes: Route[] = [
  get(':ws/rewards', {
    stack: member(),
    tag,
    summary: 'List rewards by sort_order, then newest first',
    description:
      'The catalogue as the team sees it, what is switched off included. What a client may redeem right now, and why not, is told by the portal and the staff app.',
    query: schema.listRewards,
    reply: schema.rewardRows,
    handle: async ({ rpc, workspaceId, query: { offset = 0, expand, ...query } }) => {
      const request = { ...query, workspace_id: workspaceId, offset };
      const { rewards, total_count } = await rpc.rewards.ListRewards(request);
      return data(await withMeasures({ rpc, workspaceId }, rewards, expand), {
        total_count,
        returned_count: rewards.length,
        offset,
      });
    },
  }),
  post(':ws/rewards', {
    stack: member(),
    tag,
    summary: 'Create a reward',
    description:
      'Without wallet_type_id no wallet pays for it: purchasable is false until one does, and `meta.warnings` says so.',
    // Part 1 states 200 for this one.
    status: 200,
    body: schema.createReward,
    reply: schema.reward,
    meta: schema.saved,
    handle: async ({ rpc, workspaceId, body }) => {
      await requireOwnImage(rpc, workspaceId, body);
      const request = { ...body, workspace_id: workspaceId } as api.CreateRewardRequest;
      return presentSaved(await rpc.rewards.CreateReward(request), body.purchasable !== false);
    },
  }),
  get(':ws/rewards/:id', {
    stack: member(),
    tag,
    summary: 'Read a reward',
    description:
      'The reward as it is set up. Its ETag goes into `If-Match` of a change, so that two people do not overwrite each other.',
    reply: schema.reward,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.rewards.GetReward({ workspace_id: workspaceId, id })),
  }),
  patch(':ws/rewards/:id', {
    stack: member(),
    tag,
    summary: 'Change a reward',
    description:
      'Fields that are left out stay. It counts from the next redemption on, while those before keep what they cost; setting active to false is the way to end a reward that was redeemed.',
    body: schema.updateReward,
    reply: schema.reward,
    meta: schema.saved,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      await requireOwnImage(rpc, workspaceId, body);
      const request = { ...body, workspace_id: workspaceId, id } as api.UpdateRewardRequest;
      return presentSaved(await rpc.rewards.UpdateReward(request), body.purchasable === true);
    },
  }),
  post(':ws/rewards/:id/duplicate', {
    stack: member(),
    tag,
    summary: 'Copy a reward; the copy is switched off',
    description:
      'Without its key, its uses and its imported codes, under a name of its own. One that gives out imported codes alone is out of coupons until it has some.',
    status: 201,
    reply: schema.reward,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.rewards.DuplicateReward({ workspace_id: workspaceId, id })),
  }),
  del(':ws/rewards/:id', {
    stack: member(),
    tag,
    summary: 'Delete a reward that was never redeemed',
    description:
      'One that was redeemed stays, since redemptions refer to it: 409 `reward_redeemed`, and active false ends it instead. One that an active rule or a campaign gives is refused, too, with what uses it in `used_by`.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.rewards.DeleteReward({ workspace_id: workspaceId, id });
      return message('the reward is deleted');
    },
  }),
  get(':ws/rewards/:id/stats', {
    stack: member(),
    tag,
    summary: 'Read how often a reward was redeemed and what is left of it',
    description:
      '`redeemed` counts what was ever redeemed, `points_spent` is net of what was cancelled, and `remaining` is null where no usage_limit is set.',
    reply: schema.rewardStats,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.rewards.GetRewardStats({ workspace_id: workspaceId, id })),
  }),
  ...redemptionRoutes,
];

/** The id of a file is one of the workspace, as every id in a body is; files are not known to the rewards service. */
async function requireOwnImage(
  rpc: RpcClients,
  workspaceId: string,
  { image }: Partial<schema.RewardBody>,
): Promise<void> {
  const raw = typeof image === 'string' ? image.trim().toLowerCase() : '';
  if (!isUuid(raw)) return;
  const { valid } = await rpc.passes.PreviewImageSource({ workspace_id: workspaceId, raw });
  if (!valid) throw invalidField('image', 'image names no file of the workspace');
}
