import type { passes as api } from '@laurel/rpc';
import { data, file, get, member, post, type Route, withHeaders } from '../../routing';
import * as schema from './schema';
import { shownStatus } from './shown-status';

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
      return png ? picture(png) : data(json);
    },
  }),
  post(':ws/pass-templates/preview', {
    stack: member(),
    tag: 'Pass templates',
    summary: 'Draw a card that is not saved',
    description:
      'With pass_template_id that card as it would be with what `template` names, else a new one in the look of the brand. Nothing is saved and no phone hears of it. format=json is what the phone would be given, with `meta.warnings`: placeholders that nothing fills.',
    body: schema.previewDraft,
    readOnly: true,
    reply: schema.drawn,
    meta: schema.drawnDraft,
    produces: ['image/png'],
    handle: async ({ rpc, workspaceId, body }) => {
      const { template, pass_template_id: template_id, ...how } = body;
      const fields = template as api.TemplateFields;
      const request = { ...how, workspace_id: workspaceId, template_id, fields };
      const { png, json, warnings } = await rpc.passes.PreviewDraft(request);
      return png ? picture(png) : data(json, { warnings });
    },
  }),
  get(':ws/passes/wallet-status', {
    stack: member(),
    tag,
    summary: 'Say whether phones accept the passes of the workspace, and what is missing',
    description:
      'For each wallet whether certificates and keys are right, and what to get where they are not. Buttons for a wallet that is not ready are shown to nobody.',
    query: schema.readStatus,
    reply: schema.walletStatus,
    handle: async ({ rpc, workspaceId, query: { expand } }) => {
      const status = await rpc.passes.GetWalletStatus({ workspace_id: workspaceId });
      return data(shownStatus(status, expand));
    },
  }),
];

const picture = (png: Buffer) =>
  withHeaders(file('image/png', png), { 'Cache-Control': 'no-store' });
