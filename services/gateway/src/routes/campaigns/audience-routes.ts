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
    description:
      'For a list of clients that is not saved yet. It counts who has a card, and changes nothing.',
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
    description:
      'A hundred unless limit says otherwise, and in `meta` how many there are. Nothing is fixed by looking.',
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
    description:
      'A number alone: the clients of its list or of its segment as they are now. The estimate says how many of them can be reached.',
    reply: Joi.number().integer(),
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.CountAudience({ workspace_id: workspaceId, id })).total),
  }),
  get('/campaigns/:id/estimate', {
    stack: memberOfCampaign,
    tag,
    summary: 'Estimate whom each action of a campaign would reach, and what it would take',
    description:
      'Goes by the audience as it is now, and by rewards as they will be when the campaign runs. Shortfalls say whom an action does ' +
      'not reach, and why. A tier that an action assigns counts for the actions after it. Clients who have had a reward as often as one client may are counted all the same.',
    reply: schema.estimate,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data(await rpc.campaigns.EstimateCampaign({ workspace_id: workspaceId, id })),
  }),
  get('/campaigns/:id/events', {
    stack: memberOfCampaign,
    tag,
    summary: 'List what a campaign did to clients, newest first',
    description: 'What the trail holds of it: the events whose source is this campaign.',
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
    description:
      'Whom to look at afterwards, each with the reason. Members who could not be reached are not among them.',
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
    description:
      'One row for each member or pass with what became of it: pending, processing, completed, failed or unreachable. Empty before the launch.',
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
    description:
      'Poll it while a campaign runs: audience and actions by status, rewards that were given, tiers of the audience. With within_days it also counts what the audience did so many days after the launch.',
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
    description:
      'Before a push goes out: people whom it cannot reach since they have no card. Empty for campaigns over a segment.',
    reply: schema.unreachable,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.ListUnreachable({ workspace_id: workspaceId, id })).clients),
  }),
  get('/campaigns/:id/action-stats', {
    stack: memberOfCampaign,
    tag,
    summary: 'Count what came of each action',
    description:
      'For each action how many members it was tried for, done for and failed for. The sums are those of the audience.',
    reply: figures.actionStats,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.GetActionStats({ workspace_id: workspaceId, id })).stats),
  }),
];
