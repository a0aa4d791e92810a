import { data, get, member, post, type Route } from '../../routing';
import { LIST_MEMBERS_MAX } from '../../schema/bounds';
import { coupons } from '../rewards/schema';
import * as schema from './schema';

const tag = 'Coupons';

/** Coupon codes of rewards (part 3, section 6). */
export const couponRoutes: Route[] = [
  post(':ws/rewards/:id/coupons/import', {
    stack: member(),
    tag,
    summary: 'Import coupon codes, which are given out before any are generated',
    description:
      'For codes that somebody else made, a cinema for instance: 1 to 10 000 in a call, each unique in the workspace. Those that are there already are counted as `duplicates`, so a file can be sent again.',
    status: 201,
    body: schema.importCoupons,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.importAnswer,
    handle: async ({ rpc, workspaceId, params: { id }, body: { codes } }) => {
      const request = { workspace_id: workspaceId, reward_id: id, codes };
      return data(await rpc.rewards.ImportCoupons(request));
    },
  }),
  get(':ws/rewards/:id/coupons', {
    stack: member(),
    tag,
    summary: 'List the coupons of a reward',
    description:
      'Which codes of a reward are still `available`, which are `issued` to somebody, `used` or `void`. Useful before the imported ones run out.',
    query: schema.listCoupons,
    reply: coupons,
    handle: async ({ rpc, workspaceId, params: { id }, query: { offset = 0, ...query } }) => {
      const request = { ...query, workspace_id: workspaceId, reward_id: id, offset };
      const { coupons: listed, total } = await rpc.rewards.ListCoupons(request);
      return data(listed, { total, limit: query.limit, offset });
    },
  }),
  post(':ws/coupons/validate', {
    stack: member(),
    tag,
    summary: 'Tell whether a coupon code is good, and whose it is',
    description:
      'At the till, before a code is taken: nothing is marked by it. `reason` says why a code is not good (`unknown`, `used`, `cancelled`), and a good one comes with its redemption and client. Upper and lower case do not matter.',
    readOnly: true,
    body: schema.validateCoupon,
    reply: schema.couponVerdict,
    handle: async ({ rpc, workspaceId, body: { code } }) => {
      const verdict = await rpc.rewards.ValidateCoupon({ workspace_id: workspaceId, code });
      const { coupon = null, redemption = null, client = null } = verdict;
      return data({ ...verdict, coupon, redemption, client });
    },
  }),
];
