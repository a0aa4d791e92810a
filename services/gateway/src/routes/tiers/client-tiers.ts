import { data, get, member, post, type Route } from '../../routing';
import { presentClientTier } from './present';
import * as schema from './schema';

const tag = 'Tiers';

/** The tier of one client. */
export const clientTierRoutes: Route[] = [
  post(':ws/tiers/assign', {
    stack: member(),
    tag,
    summary: 'Give a client an exclusive tier, for some days or until it is taken away',
    description:
      'For guests of honour and for goodwill: only an `exclusive` tier can be given by hand, and it outranks what the client earned until it ends. The client must be active and enrolled; `tier_promoted` or `tier_demoted` follows.',
    body: schema.assignTier,
    reply: schema.standing,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.tiers.AssignTier({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/tiers/unassign', {
    stack: member(),
    tag,
    summary: 'End an assignment; the client falls to the auto tier due',
    description:
      'Ends what assign began, before its time where it had one. The answer is the tier that the client has now by their own figures, which may be none.',
    body: schema.unassignTier,
    reply: schema.standing,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.tiers.UnassignTier({ ...body, workspace_id: workspaceId })),
  }),
  get(':ws/clients/:clientId/tier', {
    stack: member(),
    tag,
    summary: "Read a client's tier and the way to the next; null without a tier set",
    description:
      'What a client has now, since when, whether a person gave it, and how far the next tier is: `progress_to_next` follows the condition that is furthest from its threshold.',
    reply: schema.clientTier,
    handle: async ({ rpc, workspaceId, params: { clientId } }) => {
      const request = { workspace_id: workspaceId, client_id: clientId };
      return data(presentClientTier(await rpc.tiers.GetClientTier(request)));
    },
  }),
  get(':ws/clients/:clientId/tier/history', {
    stack: member(),
    tag,
    summary: "List the changes of a client's tier, newest first",
    description:
      'Each change with its reason, for a question at the counter. A change to or from no tier is one, too.',
    query: schema.listHistory,
    reply: schema.history,
    handle: async ({ rpc, workspaceId, params: { clientId }, query: { limit } }) => {
      const request = { workspace_id: workspaceId, client_id: clientId, limit };
      return data((await rpc.tiers.ListTierHistory(request)).entries);
    },
  }),
];
