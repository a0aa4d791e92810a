import {
  bare,
  data,
  del,
  get,
  patch,
  post,
  type Route,
  tagged,
  versioned,
  withoutDeadline,
} from '../../routing';
import * as schema from './schema';
import { memberOfAction, memberOfCampaign } from './scope';

const tag = 'Campaigns';
const PART_OF_CAMPAIGN =
  'Its ETag is the one of the campaign, which moves with each of its actions; `If-Match` takes that one.';
const EXECUTION =
  'A draft becomes active. Answers when all is done where the audience has at most 100 clients, else at once.';

/** What a campaign does, and doing it. */
export const actionRoutes: Route[] = [
  get('/campaigns/:id/actions', {
    stack: memberOfCampaign,
    tag,
    summary: 'List the actions of a campaign in the order in which they run',
    description:
      'They run in this order for the whole audience. Only those of a draft can be changed.',
    reply: schema.actions,
    handle: async ({ rpc, workspaceId, params: { id } }) =>
      data((await rpc.campaigns.ListActions({ workspace_id: workspaceId, id })).actions),
  }),
  post('/campaigns/:id/actions', {
    stack: memberOfCampaign,
    tag,
    summary: 'Add an action to a draft, behind the others unless sort says where',
    description: PART_OF_CAMPAIGN,
    body: schema.createAction,
    reply: schema.action,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, campaign_id: id, ...body };
      return versioned(await rpc.campaigns.CreateAction(request));
    },
  }),
  post('/campaigns/:id/actions/reorder', {
    stack: memberOfCampaign,
    tag,
    summary: 'Put the actions of a draft into an order, each named once',
    description: PART_OF_CAMPAIGN,
    body: schema.reorderActions,
    reply: schema.actionPositions,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      const request = { workspace_id: workspaceId, campaign_id: id, ...body };
      const { actions, etag } = await rpc.campaigns.ReorderActions(request);
      return tagged(data(actions), etag);
    },
  }),
  patch('/campaign-actions/:id', {
    stack: memberOfAction,
    tag,
    summary: 'Change an action of a draft',
    description: PART_OF_CAMPAIGN,
    body: schema.updateAction,
    reply: schema.action,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      versioned(await rpc.campaigns.UpdateAction({ workspace_id: workspaceId, id, ...body })),
  }),
  del('/campaign-actions/:id', {
    stack: memberOfAction,
    tag,
    summary: 'Take an action out of a draft',
    description: PART_OF_CAMPAIGN,
    wrapped: false,
    reply: schema.deletedAction,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.campaigns.DeleteAction({ workspace_id: workspaceId, id });
      return bare({ success: true, message: 'the campaign action is deleted' });
    },
  }),
  post('/campaign-actions/:id/execute', {
    stack: memberOfAction,
    tag,
    summary: 'Execute one action now',
    description: EXECUTION,
    reply: schema.executedAction,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, id };
      const { status, executed_at } = await withoutDeadline(() =>
        rpc.campaigns.ExecuteAction(request),
      );
      return data({ id, status, executed_at: executed_at ?? null });
    },
  }),
  post('/campaigns/:id/execute-all', {
    stack: memberOfCampaign,
    tag,
    summary: 'Execute every pending action now, in order',
    description: EXECUTION,
    reply: schema.actions,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      const request = { workspace_id: workspaceId, id };
      return data((await withoutDeadline(() => rpc.campaigns.ExecuteActions(request))).actions);
    },
  }),
];
