import { data, file, get, member, type Route, withHeaders } from '../../routing';
import * as schema from './schema';

const tag = 'Passes';

/** How passes will look, and whether phones accept them (part 3, section 10). */
export const walletPreviewRoutes: Route[] = [
  get(':ws/pass-templates/:id/preview', {
    stack: member(),
    tag,
    summary: 'Draw a pass on the template as it would look',
    description:
      'format=png is the card; format=json is what the phone would be given: pass.json for apple, { class, object } for google. Without client_id somebody made up is shown.',
    query: schema.preview,
    reply: schema.drawn,
    produces: ['image/png'],
    handle: async ({ rpc, workspaceId, params: { id }, query }) => {
      const request = { ...query, workspace_id: workspaceId, template_id: id };
      const { png, json } = await rpc.passes.PreviewTemplate(request);
      return png
        ? withHeaders(file('image/png', png), { 'Cache-Control': 'no-store' })
        : data(json);
    },
  }),
  get(':ws/passes/wallet-status', {
    stack: member(),
    tag,
    summary: 'Say whether phones accept the passes of the workspace, and what is missing',
    reply: schema.walletStatus,
    handle: async ({ rpc, workspaceId }) =>
      data(await rpc.passes.GetWalletStatus({ workspace_id: workspaceId })),
  }),
];
