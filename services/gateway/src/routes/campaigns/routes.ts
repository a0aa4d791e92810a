import {
  data,
  del,
  get,
  member,
  memberOfField,
  message,
  patch,
  post,
  type Route,
  versioned,
} from '../../routing';
import { LIST_MEMBERS_MAX } from '../../schema/bounds';
import { fromMoment, untilMoment } from '../../schema/types';
import { actionRoutes } from './action-routes';
import { audienceRoutes } from './audience-routes';
import { collect, toFields } from './present';
import * as schema from './schema';
import { memberOfCampaign } from './scope';

const tag = 'Campaigns';

/** Campaigns: what is said and given to whom, and when (part 2, Campaigns; part 3, section 13). */
export const campaignRoutes: Route[] = [
  get(':ws/campaigns', {
    stack: member(),
    tag,
    summary: 'List campaigns, newest first',
    description:
      'All of them with their status; key finds the one that a programme of files manages.',
    query: schema.listCampaigns,
    reply: schema.campaigns,
    handle: async ({ rpc, workspaceId, query }) =>
      data(await collect(rpc.campaigns.ListCampaigns({ workspace_id: workspaceId, ...query }))),
  }),
  post(':ws/campaigns', {
    stack: member(),
    tag,
    summary: 'Create a campaign as a draft',
    description: 'Its audience is a segment or a list of clients; both may be named later.',
    status: 201,
    body: schema.createCampaign,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.campaign,
    handle: async ({ rpc, workspaceId, body: { name, ...body } }) => {
      const request = { workspace_id: workspaceId, name, ...toFields(body) };
      return data(await rpc.campaigns.CreateCampaign(request));
    },
  }),
  get(':ws/campaigns/summary', {
    stack: member(),
    tag,
    summary: 'Count campaigns by status',
    description:
      'Five figures for the tabs of a page: draft, scheduled, active, completed and cancelled.',
    reply: schema.summary,
    handle: async ({ rpc, workspaceId }) =>
      data(await rpc.campaigns.SummarizeCampaigns({ workspace_id: workspaceId })),
  }),
  get('/campaigns/calendar', {
    stack: memberOfField('query'),
    tag,
    summary: 'List campaigns that name a time, by that time',
    description:
      'start and end bound scheduled_at. Drafts with a time are among them; the workspace is a parameter here, as the path has none.',
    query: schema.listCalendar,
    reply: schema.campaigns,
    handle: async ({ rpc, workspaceId, query: { start, end, status } }) => {
      const bounds = { start: fromMoment(start), end: untilMoment(end) };
      const request = { workspace_id: workspaceId, ...bounds, status };
      return data(await collect(rpc.campaigns.ListCalendar(request)));
    },
  }),
  get('/campaigns/:id', {
    stack: memberOfCampaign,
    tag,
    summary: 'Read a campaign',
    description:
      'Audience, time and status. What came of it is told by statistics, action-stats and the audience.',
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.campaigns.GetCampaign({ workspace_id: workspaceId, id })),
  }),
  patch('/campaigns/:id', {
    stack: memberOfCampaign,
    tag,
    summary: 'Change a draft; fields left out stay',
    description:
      'Only a draft changes: 409 `not_draft` afterwards, so unschedule it first. A segment and a list of clients exclude each other; null takes one away.',
    body: schema.updateCampaign,
    bodyMembersMax: LIST_MEMBERS_MAX,
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, id, ...toFields(body) };
      return versioned(await rpc.campaigns.UpdateCampaign(request));
    },
  }),
  del('/campaigns/:id', {
    stack: memberOfCampaign,
    tag,
    summary: 'Delete a campaign; what it did stays done',
    description:
      'In any status; what it has not done is not done any more. Rewards, tiers and pushes that clients got stay.',
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.campaigns.DeleteCampaign({ workspace_id: workspaceId, id });
      return message('the campaign is deleted');
    },
  }),
  post('/campaigns/:id/duplicate', {
    stack: memberOfCampaign,
    tag,
    summary: 'Copy a campaign into a new draft',
    description:
      'For something that comes every month. The copy has no time, and its actions unless include_actions is false.',
    body: schema.duplicateCampaign,
    reply: schema.campaign,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, id, ...body };
      return data(await rpc.campaigns.DuplicateCampaign(request));
    },
  }),
  post('/campaigns/:id/schedule', {
    stack: memberOfCampaign,
    tag,
    summary: 'Schedule a draft; it is launched when its time has come',
    description: 'Without scheduled_at the time that the draft names counts.',
    body: schema.scheduleCampaign,
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body: { scheduled_at } }) => {
      const at = fromMoment(scheduled_at);
      const request = { workspace_id: workspaceId, id, scheduled_at: at };
      return versioned(await rpc.campaigns.ScheduleCampaign(request));
    },
  }),
  post('/campaigns/:id/unschedule', {
    stack: memberOfCampaign,
    tag,
    summary: 'Make a scheduled campaign a draft again',
    description: 'To change it after all. Refused with 409 in any status but scheduled.',
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.campaigns.UnscheduleCampaign({ workspace_id: workspaceId, id })),
  }),
  post('/campaigns/:id/launch', {
    stack: memberOfCampaign,
    tag,
    summary: 'Execute every action from now on, in the background',
    description: 'GET /campaigns/:id/statistics tells how far it has come.',
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.campaigns.LaunchCampaign({ workspace_id: workspaceId, id })),
  }),
  post('/campaigns/:id/cancel', {
    stack: memberOfCampaign,
    tag,
    summary: 'Stop a campaign; what has run stays, the rest is skipped',
    description:
      'What clients got stays theirs. A draft and one that has ended are refused with 409; `campaign.cancelled` follows.',
    reply: schema.campaign,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      versioned(await rpc.campaigns.CancelCampaign({ workspace_id: workspaceId, id })),
  }),
  ...actionRoutes,
  ...audienceRoutes,
];
