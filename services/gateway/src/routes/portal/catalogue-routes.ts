import { platform, Refusal } from '@laurel/errors';
import type { rewards } from '@laurel/rpc';
import { data, get, portal, post, type Route } from '../../routing';
import type { RpcClients } from '../../rpc-clients';
import * as present from './present';
import * as schema from './schema';

const tag = 'Portal';

/** What points buy, as the client stands to it. */
export const catalogueRoutes: Route[] = [
  get('/public/loyalty/rewards', {
    stack: portal(),
    tag,
    summary: 'Rewards that points can buy, as the client stands to each',
    description:
      '`can_afford`, `is_locked` and `reason` say what stands in the way, in a word that a page can translate.',
    reply: schema.rewards,
    handle: async ({ rpc, workspaceId, caller, publicUrl }) => {
      const [list, walletOf] = await Promise.all([
        rpc.rewards.ListClientRewards({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          purchasable_only: true,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      const surroundings = { walletOf, publicUrl };
      return data(list.rewards.map((seen) => present.presentReward(seen, surroundings)));
    },
  }),
  get('/public/loyalty/rewards/:id', {
    stack: portal(),
    tag,
    summary: 'One of these rewards',
    description: 'For a page of its own; what stands in the way is told as in the list.',
    reply: schema.reward,
    handle: async ({ rpc, workspaceId, caller, params, publicUrl }) => {
      const [seen, walletOf] = await Promise.all([
        rpc.rewards.GetClientReward({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          reward_id: params.id,
          purchasable_only: true,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      return data(present.presentRewardDetail(seen, { walletOf, publicUrl }));
    },
  }),
  post('/public/loyalty/rewards/:id/redeem', {
    stack: portal(),
    tag,
    summary: 'Buy a reward with points',
    description:
      'A refusal is 400 and names its reason: inactive, not_started, ended, not_purchasable, tier_locked, segment_locked, usage_limit_reached, client_limit_reached, insufficient_points, out_of_coupons.',
    body: schema.redeem,
    reply: schema.redeemed,
    handle: async ({ rpc, workspaceId, caller, params, body }) => {
      const request = {
        workspace_id: workspaceId,
        client_id: caller.userId!,
        reward_id: params.id,
        source: 'self_serve',
        metadata: body.metadata,
        purchasable_only: true,
      };
      return data(present.presentRedeemed(await redeem(rpc, request)));
    },
  }),
  get('/public/loyalty/redemptions', {
    stack: portal(),
    tag,
    summary: 'What the client has redeemed, newest first',
    description: 'With the code to show at the till and whether it was used.',
    query: schema.listRedemptions,
    reply: schema.redemptions,
    handle: async ({ rpc, workspaceId, caller, query: { limit, offset = 0 } }) => {
      const [{ redemptions, total_count }, walletOf] = await Promise.all([
        rpc.rewards.ListRedemptions({
          workspace_id: workspaceId,
          client_id: caller.userId!,
          limit,
          offset,
        }),
        walletsOf(rpc, workspaceId),
      ]);
      const meta = { total: total_count, limit, offset };
      const rows = redemptions.map((each) => present.presentRedemption(each, walletOf));
      return data(rows, meta);
    },
  }),
];

/** The wallets of a workspace by id, those that are switched off among them: what was paid stays in their words. */
async function walletsOf(rpc: RpcClients, workspaceId: string): Promise<present.WalletOf> {
  return present.walletsById(await rpc.ledger.ListWalletTypes({ workspace_id: workspaceId }));
}

/** The service speaks of a reward_id in a body; here it stands in the path, where an unknown one is 404. */
async function redeem(rpc: RpcClients, request: rewards.RedeemRewardRequest) {
  try {
    return await rpc.rewards.RedeemReward(request);
  } catch (error) {
    if (!(error instanceof Refusal) || error.problems[0]?.field !== 'reward_id') throw error;
    throw platform.recordNotFound({ message: 'the reward does not exist' });
  }
}
