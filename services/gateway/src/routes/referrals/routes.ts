import { data, del, get, member, post, put, type Route, versioned } from '../../routing';
import { presentListed, presentTop } from './present';
import * as schema from './schema';

const tag = 'Referrals';

/** The referral program, clients' codes and referrals (part 1, Referrals; part 3, section 7). */
export const referralRoutes: Route[] = [
  get(':ws/referral-program', {
    stack: member(),
    tag,
    summary: 'Read the referral program',
    description:
      'The rules of clients bringing clients: what completes a referral, how long it may take, how many somebody may bring. 404 `no_program` before the first PUT.',
    reply: schema.program,
    versioned: true,
    handle: async ({ rpc, workspaceId }) =>
      versioned(await rpc.referrals.GetProgram({ workspace_id: workspaceId })),
  }),
  put(':ws/referral-program', {
    stack: member(),
    tag,
    summary: 'Create or replace the referral program',
    description:
      'Fields left out become null. Disabling pauses pending referrals: what happens meanwhile completes none of them. Another completion_criteria or expiry applies to referrals made later.',
    body: schema.putProgram,
    reply: schema.program,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) =>
      versioned(await rpc.referrals.PutProgram({ workspace_id: workspaceId, ...body })),
  }),
  del(':ws/referral-program', {
    stack: member(),
    tag,
    summary: 'Delete the referral program; its pending referrals are cancelled',
    description:
      'The answer says how many pending referrals were cancelled; codes lead nowhere afterwards. To pause instead, set enabled to false: pending ones then wait.',
    reply: schema.deletedProgram,
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      const request = { workspace_id: workspaceId };
      const { cancelled_pending } = await rpc.referrals.DeleteProgram(request);
      return data({ deleted: true, cancelled_pending });
    },
  }),
  get(':ws/clients/:clientId/referral', {
    stack: member(),
    tag,
    summary: "Read a client's referral code, share link and what it brought",
    description:
      'The code is minted on first sight, where the program is enabled and the client enrolled in loyalty.',
    reply: schema.clientReferral,
    handle: async ({ rpc, workspaceId, params: { clientId } }) => {
      const request = { workspace_id: workspaceId, client_id: clientId };
      return data(await rpc.referrals.GetClientReferral(request));
    },
  }),
  get(':ws/referrals', {
    stack: member(),
    tag,
    summary: 'List referrals, newest first',
    description:
      'Who brought whom, and what came of it. search looks into names, e-mail addresses and codes; a side is null where that client was deleted.',
    query: schema.listReferrals,
    reply: schema.referrals,
    handle: async ({ rpc, workspaceId, query: { limit, offset = 0, ...filter } }) => {
      const request = { workspace_id: workspaceId, ...filter, limit, offset };
      const { referrals, total } = await rpc.referrals.ListReferrals(request);
      return data(referrals.map(presentListed), { total, limit, offset });
    },
  }),
  get(':ws/referrals/stats', {
    stack: member(),
    tag,
    summary: 'Count referrals by status',
    description:
      'Four figures over all time: pending, completed, expired and cancelled. Each referral counts once.',
    reply: schema.stats,
    handle: async ({ rpc, workspaceId }) =>
      data(await rpc.referrals.GetStats({ workspace_id: workspaceId })),
  }),
  get(':ws/referrals/analytics', {
    stack: member(),
    tag,
    summary: 'Referrals per day (UTC, today included) and who brought most in that time',
    description:
      'The last 90 days unless days says otherwise, at most 365: what was created and completed each day, and the ten clients who brought most.',
    query: schema.getAnalytics,
    reply: schema.analytics,
    handle: async ({ rpc, workspaceId, query: { days } }) => {
      const request = { workspace_id: workspaceId, days };
      const { timeline, top_referrers } = await rpc.referrals.GetAnalytics(request);
      return data({ timeline, top_referrers: top_referrers.map(presentTop) });
    },
  }),
  post(':ws/referrals/cancel-pending', {
    stack: member(),
    tag,
    summary: 'Cancel every pending referral',
    description:
      'For the end of an action, in one call; the answer is how many there were. Completed ones stay.',
    reply: schema.cancelledReferrals,
    handle: async ({ rpc, workspaceId }) =>
      data(await rpc.referrals.CancelPending({ workspace_id: workspaceId })),
  }),
  post(':ws/referrals/:referralId/cancel', {
    stack: member(),
    tag,
    summary: 'Cancel a pending referral',
    description:
      'For fraud and mistakes: nobody gets anything for it. 409 where it is no longer pending; `referral_cancelled` follows.',
    reply: schema.cancelledReferral,
    handle: async ({ rpc, workspaceId, params: { referralId } }) => {
      const request = { workspace_id: workspaceId, id: referralId };
      const { id, status, cancelled_at } = await rpc.referrals.CancelReferral(request);
      return data({ id, status, cancelled_at });
    },
  }),
  post(':ws/referrals/:referralId/complete', {
    stack: member(),
    tag,
    summary: 'Complete a pending referral by hand, whatever program, cap and expiry say',
    description:
      'For goodwill, when a purchase was not recorded. Rules that listen to `referral_completed` reward both sides as usual. 409 where it is no longer pending.',
    reply: schema.completedReferral,
    handle: async ({ rpc, workspaceId, params: { referralId } }) => {
      const request = { workspace_id: workspaceId, id: referralId };
      const { id, status, qualifying_event_type } = await rpc.referrals.CompleteReferral(request);
      return data({ id, status, qualifying_event_type });
    },
  }),
];
