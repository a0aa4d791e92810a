import { get, member, patch, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Workspaces';

/** Workspace settings (part 2). */
export const settingsRoutes: Route[] = [
  get(':ws/settings', {
    stack: member({ mobileMayRead: true }),
    tag,
    summary: 'Read the settings of a workspace; also with a mobile session',
    description:
      'Currency, language, time zone and the address that answers to mails go to. Made with defaults by the first look.',
    reply: schema.settings,
    versioned: true,
    handle: async ({ rpc, workspaceId }) =>
      versioned(await rpc.identity.GetSettings({ workspace_id: workspaceId })),
  }),
  patch(':ws/settings', {
    stack: member({ permission: 'manage_settings' }),
    tag,
    summary: 'Change the settings of a workspace',
    description:
      'Fields that are left out stay. The time zone counts for rules, limits and days from the next event on. For admins.',
    body: schema.updateSettings,
    reply: schema.settings,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) =>
      versioned(await rpc.identity.UpdateSettings({ workspace_id: workspaceId, ...body })),
  }),
];
