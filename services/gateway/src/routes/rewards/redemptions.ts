import { data, get, member, post, type Route } from '../../routing';
import { fromMoment, untilMoment } from '../../schema/types';
import { withClients } from '../clients/expand-client';
import * as figures from './figures-schema';
import { withCoupon } from './present';
import * as schema from './schema';

const tag = 'Rewards and redemptions';

const within = ({ from_date, to_date }: { from_date?: string; to_date?: string }) => ({
  from_date: fromMoment(from_date),
  to_date: untilMoment(to_date),
});

/** What became of rewards that were redeemed (part 1, Rewards and redemptions). */
export const redemptionRoutes: Route[] = [
  post(':ws/rewards/redeem', {
    stack: member(),
    tag,
    summary: 'Redeem a reward for a client',
    description: 'With dry_run nothing is written and the answer says what would happen.',
    body: schema.redeemReward,
    reply: schema.redeemAnswer,
    handle: async ({ rpc, workspaceId, body: { dry_run: isDryRun, ...body } }) => {
      const request = {
        ...body,
        workspace_id: workspaceId,
        metadata: (body.metadata ?? {}) as never,
        send_notification: body.send_notification !== false,
      };
      if (isDryRun) return data(await rpc.rewards.PreviewRedemption(request));
      return data(withCoupon(await rpc.rewards.RedeemReward(request)));
    },
  }),
  get(':ws/rewards/redemptions', {
    stack: member(),
    tag,
    summary: 'List redemptions, newest first',
    description:
      'For the desk and for reports: filter by client, reward, status, source or time, each row with the code and state of its coupon. from_date and to_date are inclusive.',
    query: schema.listRedemptions,
    reply: schema.redemptionsOfPeople,
    handle: async (input) => {
      const { offset = 0, expand, ...query } = input.query;
      const request = { ...query, ...within(query), workspace_id: input.workspaceId, offset };
      const { redemptions, total_count } = await input.rpc.rewards.ListRedemptions(request);
      const rows = await withClients(input, redemptions, expand);
      return data(rows, { total_count, returned_count: redemptions.length, offset });
    },
  }),
  post(':ws/rewards/redemptions/top', {
    stack: member(),
    tag,
    summary: 'Rank rewards by how often they were redeemed',
    description:
      'The best five unless limit says otherwise (at most 50), with how often each was redeemed and what it cost in points, and the totals over all rewards.',
    readOnly: true,
    body: figures.topRewards,
    reply: figures.topRewardsAnswer,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { ...body, ...within(body), workspace_id: workspaceId };
      return data(await rpc.rewards.ListTopRewards(request));
    },
  }),
  post(':ws/rewards/redemptions/aggregate', {
    stack: member(),
    tag,
    summary: 'Count redemptions and the points they cost, over time if wanted',
    description:
      'For a chart: count and points of a time range, with buckets where group_by_time is set. exclude_cancelled leaves cancelled ones out where no status is named.',
    readOnly: true,
    body: figures.aggregateRedemptions,
    reply: figures.aggregateAnswer,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { ...body, ...within(body), workspace_id: workspaceId };
      const { buckets, ...totals } = await rpc.rewards.AggregateRedemptions(request);
      return data(body.group_by_time === undefined ? totals : { ...totals, buckets });
    },
  }),
  get(':ws/rewards/redemptions/:id', {
    stack: member(),
    tag,
    summary: 'Read a redemption',
    description:
      'One redemption with its coupon. One that does not exist, or is of another workspace, is answered with 400 `redemption_not_found`.',
    reply: schema.redemption,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.rewards.GetRedemption({ workspace_id: workspaceId, id })),
  }),
  post(':ws/rewards/redemptions/:id/use', {
    stack: member(),
    tag,
    summary: 'Mark a redemption used, or with used false unused',
    description:
      'Say so when the reward is handed over: its coupon becomes `used` and `reward_used` follows. An explicit `used: false` takes it back; a cancelled redemption is refused.',
    body: schema.useRedemption,
    reply: schema.redemptionWithCoupon,
    handle: async ({ rpc, workspaceId, params: { id }, body: { used } }) =>
      data(withCoupon(await rpc.rewards.UseRedemption({ workspace_id: workspaceId, id, used }))),
  }),
  post(':ws/rewards/redemptions/:id/cancel', {
    stack: member(),
    tag,
    summary: 'Cancel a redemption: points, uses and coupon go back',
    description:
      'For a reward that was not handed over: the exact points go back to the lots they came from, the coupon can be given out again and usage limits count one less. Cancelled once only; `reward_cancelled` follows.',
    body: schema.cancelRedemption,
    reply: schema.cancelledRedemption,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(withCoupon(await rpc.rewards.CancelRedemption({ workspace_id: workspaceId, id }))),
  }),
];
