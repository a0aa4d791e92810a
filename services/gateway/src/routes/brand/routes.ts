import type { identity } from '@laurel/rpc';
import { get, member, put, type Route, versioned } from '../../routing';
import * as schema from './schema';

const tag = 'Brand';

/** How a shop looks wherever nothing else is said (docs/adr/0032). */
export const brandRoutes: Route[] = [
  get(':ws/brand', {
    stack: member(),
    tag,
    summary: 'Read how the shop looks; null where it does not say',
    description: 'What pages, cards, forms and mails take where they say nothing of their own.',
    reply: schema.brand,
    versioned: true,
    handle: async ({ rpc, workspaceId }) =>
      versioned(await rpc.identity.GetBrand({ workspace_id: workspaceId }), present),
  }),
  put(':ws/brand', {
    stack: member(),
    tag,
    summary: 'Say once how the shop looks',
    description:
      'What is left out stays as it is; null takes it back. Portal, forms, mails and staff app take it where they say nothing themselves, a card when it is made.',
    body: schema.putBrand,
    reply: schema.brand,
    versioned: true,
    handle: async ({ rpc, workspaceId, body: { colours = {}, ...rest } }) => {
      const pictures = [
        { field: 'logo', id: rest.logo },
        { field: 'icon', id: rest.icon },
      ];
      const files = pictures.flatMap(({ field, id }) => (id ? [{ field, id }] : []));
      if (files.length > 0) await rpc.passes.RequireFiles({ workspace_id: workspaceId, files });
      const { primary: primary_color, background: background_color } = colours;
      const request = { workspace_id: workspaceId, ...rest, primary_color, background_color };
      return versioned(await rpc.identity.PutBrand(request), present);
    },
  }),
];

function present({ primary_color, background_color, ...brand }: Omit<identity.Brand, 'etag'>) {
  return { ...brand, colours: { primary: primary_color, background: background_color } };
}
