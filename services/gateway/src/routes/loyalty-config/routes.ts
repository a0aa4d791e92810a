import {
  data,
  get,
  member,
  patch,
  post,
  put,
  type Route,
  versioned,
  withStatus,
} from '../../routing';
import * as schema from './schema';

const tag = 'Loyalty configuration';
const path = ':ws/loyalty/config';

/** The loyalty config of a workspace: at most one (part 1, Loyalty configuration). */
export const loyaltyConfigRoutes: Route[] = [
  get(path, {
    stack: member(),
    tag,
    summary: 'Read the loyalty config; null when there is none',
    description:
      'Name and currency of the programme, and settings of your own, which are kept as they were sent.',
    reply: schema.configOrNull,
    versioned: true,
    handle: async ({ rpc, workspaceId }) => {
      const { config } = await rpc.ledger.GetLoyaltyConfig({ workspace_id: workspaceId });
      return config ? versioned(config) : data(null);
    },
  }),
  post(path, {
    stack: member(),
    tag,
    summary: 'Create the loyalty config',
    description:
      'A workspace has one at most: a second one is refused with 400 `config_exists`. PUT does either, if you do not want to ask first.',
    body: schema.writeConfig,
    status: 201,
    reply: schema.config,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return data((await rpc.ledger.CreateLoyaltyConfig(request)).config);
    },
  }),
  patch(path, {
    stack: member(),
    tag,
    summary: 'Change the loyalty config',
    description:
      'Fields that are left out stay. Where there is none yet it is refused with 400 `config_missing`.',
    body: schema.writeConfig,
    reply: schema.config,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      return versioned((await rpc.ledger.UpdateLoyaltyConfig(request)).config!);
    },
  }),
  put(path, {
    stack: member(),
    tag,
    summary: 'Create or change the loyalty config',
    description: '200 when it was changed, 201 when it was created.',
    body: schema.writeConfig,
    alsoAnswers: { 201: 'reply' },
    reply: schema.config,
    versioned: true,
    handle: async ({ rpc, workspaceId, body }) => {
      const request = { workspace_id: workspaceId, ...body };
      const { config, created } = await rpc.ledger.PutLoyaltyConfig(request);
      return withStatus(versioned(config!), created ? 201 : 200);
    },
  }),
];
