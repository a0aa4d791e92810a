import type { identity } from '@laurel/rpc';
import { get, member, put, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Portal';

/** How the portal of a workspace looks, and whether it is on (part 3, section 9). */
export const portalConfigRoutes: Route[] = [
  get(':ws/portal-config', {
    stack: member(),
    tag,
    summary: 'Read how the client portal is set up',
    description: 'Before the first PUT: the defaults, with is_enabled false.',
    reply: schema.portalConfig,
    versioned: true,
    handle: async ({ rpc, workspaceId }) =>
      versioned(await rpc.identity.GetPortalConfig({ workspace_id: workspaceId }), present),
  }),
  put(':ws/portal-config', {
    stack: member(),
    tag,
    summary: 'Set up the client portal',
    description:
      'What is left out stays as it is; null empties a field, or gives a colour its default back. Another login_mode ends every session of the portal. custom_css is kept without what loads anything (@import, url() but for embedded images) or runs anything.',
    body: schema.putPortalConfig,
    reply: schema.portalConfig,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) =>
      versioned(
        await rpc.identity.PutPortalConfig({ workspace_id: workspaceId, ...body }),
        present,
      ),
  }),
];

function present({ config, login_mode }: Omit<identity.PortalConfig, 'etag'>) {
  return { ...config, login_mode };
}
