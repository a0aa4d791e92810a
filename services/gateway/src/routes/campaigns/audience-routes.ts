import { data, get, member, post, type Route } from '../../routing';
import { LIST_MEMBERS_MAX } from '../../schema/bounds';
import { Joi } from '../../schema/types';
import { clients as clientList } from '../clients/schema';
import { events as eventList } from '../events/schema';
import { presentError } from './present';
import { readResponse } from './read-response';
import * as schema from './schema';
import { memberOfCampaign } from './scope';
import * as figures from './statistics-schema';

const tag = 'Campaigns';

/** Whom a campaign is for, and what came of it. */
export const audienceRoutes: Route[] = [
  post(':ws/audience-reachability', {
    stack: member(),
    tag,
    summary: 'Count how many of some clients have a pass',
    readOnly: true,
    body: schema.measureReachability,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.reachability,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return data(await rpc.campaigns.MeasureReachability(request));
    },
  }),
  get('/campaigns/:id/preview', {
    stack: memberOfCampaign,
    tag,
    summary: 'See the first clients that a campaign would be for now',
    query: schema.preview,
    reply: clientList,
    handle: async ({ rpc, workspaceId, params: { id }, query: { limit } }) => {
      const request = { workspace_id: workspaceId, id, limit };
      const { clients, total } = await rpc.campaigns.PreviewAudience(request);
      return data(clients, { total });
    },
  }),
  get('/campaigns/:id/count', {
    stack: memberOfCampaign,
    tag,
    summary: 'Count the clients that a campaign would be for now',
    reply: Joi.number().integer(),
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.CountAudience({ workspace_id: workspaceId, id })).total),
  }),
  get('/campaigns/:id/estimate', {
    stack: memberOfCampaign,
    tag,
    summary: 'Estimate whom each action of a campaign would come to, and what it would take',
    description:
      'Of the audience as it is now; of rewards as they will be when the campaign runs. Shortfalls say whom an action does not ' +
      'come to, and why. Whoever has had a reward as often as one client may is counted nevertheless.',
    reply: schema.estimate,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.campaigns.EstimateCampaign({ workspace_id: workspaceId, id })),
  }),
  get('/campaigns/:id/events', {
    stack: memberOfCampaign,
    tag,
    summary: 'List what a campaign did to clients, newest first',
    query: schema.listMembers,
    reply: eventList,
    handle: async ({ rpc, workspaceId, params: { id }, query: { limit, offset = 0 } }) => {
      const filter = { workspace_id: workspaceId, source: `campaign:${id}` };
      const { events, total } = await rpc.clients.ListEvents({ ...filter, limit, offset });
      return data(events, { total });
    },
  }),
  get('/campaigns/:id/errors', {
    stack: memberOfCampaign,
    tag,
    summary: 'List members of the audience for whom an action failed',
    query: schema.listErrors,
    reply: schema.failures,
    handle: async ({ rpc, workspaceId, params: { id }, query: { limit, offset = 0 } }) => {
      const request = { workspace_id: workspaceId, campaign_id: id, limit, offset };
      return data((await rpc.campaigns.ListErrors(request)).members.map(presentError));
    },
  }),
  get('/campaigns/:id/audience', {
    stack: memberOfCampaign,
    tag,
    summary: 'List the audience as it was fixed when execution started',
    query: schema.listMembers,
    reply: schema.members,
    handle: async ({ rpc, workspaceId, params: { id }, query: { limit, offset = 0 } }) => {
      const request = { workspace_id: workspaceId, campaign_id: id, limit, offset };
      const { members, total } = await rpc.campaigns.ListMembers(request);
      return data(members, { total });
    },
  }),
  get('/campaigns/:id/statistics', {
    stack: memberOfCampaign,
    tag,
    summary: 'Read how far a campaign has come and what came of it',
    query: figures.readStatistics,
    reply: figures.statistics,
    handle: async ({ rpc, workspaceId, params: { id }, query: { within_days } }) => {
      const statistics = await rpc.campaigns.GetStatistics({ workspace_id: workspaceId, id });
      if (within_days === undefined) return data(statistics);
      const { started_at: startedAt = null } = statistics;
      const asked = { workspaceId, id, startedAt, days: within_days };
      return data({ ...statistics, after: await readResponse(rpc, asked) });
    },
  }),
  get('/campaigns/:id/unreachable-audience', {
    stack: memberOfCampaign,
    tag,
    summary: 'List clients of a manual audience who have no pass',
    reply: schema.unreachable,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.ListUnreachable({ workspace_id: workspaceId, id })).clients),
  }),
  get('/campaigns/:id/action-stats', {
    stack: memberOfCampaign,
    tag,
    summary: 'Count what came of each action',
    reply: figures.actionStats,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.GetActionStats({ workspace_id: workspaceId, id })).stats),
  }),
];
