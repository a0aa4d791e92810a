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
    body: schema.assignTier,
    reply: schema.standing,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.tiers.AssignTier({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/tiers/unassign', {
    stack: member(),
    tag,
    summary: 'End an assignment; the client falls to the auto tier due',
    body: schema.unassignTier,
    reply: schema.standing,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.tiers.UnassignTier({ ...body, workspace_id: workspaceId })),
  }),
  get(':ws/clients/:clientId/tier', {
    stack: member(),
    tag,
    summary: "Read a client's tier and the way to the next; null without a tier set",
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
    query: schema.listHistory,
    reply: schema.history,
    handle: async ({ rpc, workspaceId, params: { clientId }, query: { limit } }) => {
      const request = { workspace_id: workspaceId, client_id: clientId, limit };
      return data((await rpc.tiers.ListTierHistory(request)).entries);
    },
  }),
];
