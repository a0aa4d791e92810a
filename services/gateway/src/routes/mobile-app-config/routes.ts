import {
  data,
  del,
  get,
  member,
  memberOfRow,
  noContent,
  patch,
  post,
  type Route,
  tagged,
  versioned,
  workspaceOfRow,
} from '../../routing';
import * as schema from './schema';

const tag = 'Mobile app configuration';
const PART_OF_CONFIG =
  'Its ETag is the one of the config, which is one row with all its actions; `If-Match` takes that one.';

const workspaceOfAction = workspaceOfRow((rpc, row) => rpc.passes.LocateMobileAppAction(row));

/** How a workspace sets its staff app up (part 2, Mobile app configuration). */
export const mobileAppConfigRoutes: Route[] = [
  get(':ws/mobile-app-config', {
    stack: member(),
    tag,
    summary: 'Read the config of the staff app with its actions; null where there is none',
    description: 'What devices show and who may use them; actions in their order.',
    reply: schema.configOrNull,
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      const { config } = await rpc.passes.GetMobileAppConfig({ workspace_id: workspaceId });
      return config ? versioned(config) : data(null);
    },
  }),
  post(':ws/mobile-app-config', {
    stack: member(),
    tag,
    summary: 'Set the staff app up, with four actions to begin with',
    description:
      'The four are: add points, remove points, redeem a reward, change client data. A workspace has one config at most: 400 `mobile_app_exists`.',
    status: 201,
    body: schema.appConfig,
    reply: schema.config,
    handle: async ({ rpc, workspaceId, body }) =>
      data(await rpc.passes.CreateMobileAppConfig({ ...body, workspace_id: workspaceId })),
  }),
  patch(':ws/mobile-app-config', {
    stack: member(),
    tag,
    summary: 'Change the config of the staff app; it counts on the next request of every device',
    description:
      'Fields that are left out stay, and null lifts a restriction. With is_enabled false every device is refused from then on.',
    body: schema.appConfig,
    reply: schema.config,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) =>
      versioned(await rpc.passes.UpdateMobileAppConfig({ ...body, workspace_id: workspaceId })),
  }),
  del(':ws/mobile-app-config', {
    stack: member(),
    tag,
    summary: 'Delete the config of the staff app with its actions',
    description:
      'Devices find no actions from then on. To lock them out for a while, set is_enabled to false instead.',
    status: 204,
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      await rpc.passes.DeleteMobileAppConfig({ workspace_id: workspaceId });
      return noContent();
    },
  }),
  post(':ws/mobile-app-config/actions', {
    stack: member(),
    tag,
    summary: 'Add an action to the staff app',
    status: 201,
    description: PART_OF_CONFIG,
    body: schema.createAction,
    reply: schema.action,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) =>
      versioned(await rpc.passes.CreateMobileAppAction({ ...body, workspace_id: workspaceId })),
  }),
  post(':ws/mobile-app-config/actions/reorder', {
    stack: member(),
    tag,
    summary: 'Put the actions into another order; each is named once',
    description: PART_OF_CONFIG,
    body: schema.reorderActions,
    reply: schema.positions,
    versioned: true,
    handle: async ({ rpc, workspaceId, body: { action_ids: ids } }) => {
      const request = { workspace_id: workspaceId, ids };
      const { actions, etag } = await rpc.passes.ReorderMobileAppActions(request);
      return tagged(data(actions), etag);
    },
  }),
  patch('/mobile-app-actions/:id', {
    stack: memberOfRow(workspaceOfAction),
    tag,
    description: PART_OF_CONFIG,
    summary: 'Change an action; its config must fit the type it then has',
    body: schema.updateAction,
    reply: schema.action,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id }, body }) =>
      versioned(await rpc.passes.UpdateMobileAppAction({ ...body, workspace_id: workspaceId, id })),
  }),
  del('/mobile-app-actions/:id', {
    stack: memberOfRow(workspaceOfAction),
    tag,
    summary: 'Delete an action',
    description: 'Devices lose its button on their next start. What was done with it stays.',
    status: 204,
    versioned: true,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeleteMobileAppAction({ workspace_id: workspaceId, id });
      return noContent();
    },
  }),
];
