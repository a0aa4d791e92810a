import { platform } from '@laurel/errors';
import {
  bare,
  data,
  del,
  type FindWorkspace,
  get,
  member,
  memberOfRow,
  message,
  patch,
  post,
  type Route,
  workspaceOfRow,
} from '../../routing';
import { requireSameWorkspace } from '../../schema/types';
import { presentPassPage, presentRenderData } from './present';
import * as schema from './schema';

const tag = 'Passes';

const workspaceOfPass = workspaceOfRow(async (rpc, { id }) => {
  const [pass] = (await rpc.passes.LocatePasses({ pass_ids: [id] })).passes;
  if (!pass) throw platform.recordNotFound();
  return pass;
});

/**
 * Where somebody may repeat under an Idempotency-Key what was done before the pass was deleted: they get the first answer
 * (part 3, section 1.3). Whose the key was is known from the passes that events are about, which are noted for good.
 */
const workspaceOfPassOrGone = workspaceOfRow(async (rpc, { id }) => {
  const [pass] = (await rpc.passes.LocatePasses({ pass_ids: [id] })).passes;
  if (pass) return pass;
  const [gone] = (await rpc.clients.LocatePasses({ pass_ids: [id], with_gone: true })).passes;
  if (!gone) throw platform.recordNotFound();
  return gone;
});

/** Form first: an unknown pass and a foreign one look the same with a bad body. */
const workspaceOfNamedPass: FindWorkspace = async (rpc, _params, body) => {
  const { value, error } = schema.resendPass.validate(body, { convert: false });
  return error ? '' : workspaceOfPassOrGone(rpc, { id: value.pass_id.toLowerCase() }, body);
};

const ENDS = [
  {
    path: '/passes/:id/void',
    status: 'voided',
    summary: 'Void a pass; phones show it as such',
    description:
      'For a lost or misused card: it stays listed and on the phone, where it says that it is void, and actions on it are refused with 409. restore takes it back.',
  },
  {
    path: '/passes/:id/restore',
    status: 'active',
    summary: 'Make a voided pass valid again',
    description:
      'The other way of void: phones show it as valid, and it can be scanned for actions again. One whose client is gone stays as it is.',
  },
] as const;

/** Passes (part 2, Passes; part 3, section 10). */
export const passRoutes: Route[] = [
  get(':ws/passes', {
    stack: member(),
    tag,
    summary: 'List passes, newest first',
    description:
      'Filter by project or template; page by `cursor`, as offset grows slow on deep pages.',
    query: schema.listPasses,
    reply: schema.passes,
    handle: async ({ rpc, workspaceId, query: { offset = 0, ...query } }) => {
      const page = await rpc.passes.ListPasses({ ...query, workspace_id: workspaceId, offset });
      return presentPassPage({ ...query, offset }, page);
    },
  }),
  post(':ws/passes', {
    stack: member(),
    tag,
    summary: 'Create a pass on a template, for a client or for nobody yet',
    description:
      'A client has one pass on a template: a second one is refused with 409 `pass_taken`. The answer has the addresses for Apple and Google; a barcode_value of yours stays as you gave it.',
    status: 201,
    body: schema.createPass,
    reply: schema.pass,
    handle: async ({ rpc, workspaceId, body }) => {
      requireSameWorkspace(body.workspace_id, workspaceId);
      return data(await rpc.passes.CreatePass({ ...body, workspace_id: workspaceId }));
    },
  }),
  get(':ws/passes/aggregate', {
    stack: member(),
    tag,
    summary: 'Count passes, and on how many Apple and Google wallets they are',
    description: 'A card that was handed out but never saved is in `total` only.',
    reply: schema.passCounts,
    handle: async ({ rpc, workspaceId }) =>
      data(await rpc.passes.CountPasses({ workspace_id: workspaceId })),
  }),
  post(':ws/passes/refresh-all', {
    stack: member(),
    tag,
    summary: 'Ask for a wallet update of every pass',
    description:
      'Rarely needed, since cards follow changes by themselves. It is queued by template and paced; the answer says over how many templates.',
    body: schema.noFields,
    reply: schema.queuedRefreshes,
    handle: async ({ rpc, workspaceId }) => {
      const queued = await rpc.passes.RefreshPasses({ workspace_id: workspaceId });
      return data({ queued: true, templateCount: queued.template_count });
    },
  }),
  get(':ws/passes/:passId/loyalty-render-data', {
    stack: member(),
    tag,
    summary: 'Read what a pass shows of the loyalty of its client',
    description:
      'To look into what a card shows without a phone: wallets, tier and benefits, rewards, the address of the portal.',
    reply: schema.loyaltyRenderData,
    handle: async ({ rpc, workspaceId, params: { passId: id } }) => {
      const request = { workspace_id: workspaceId, id };
      return data(presentRenderData(await rpc.passes.GetLoyaltyRenderData(request)));
    },
  }),
  post('/pass/resend', {
    stack: memberOfRow(workspaceOfNamedPass),
    tag,
    summary: 'Mail the links of a pass, at most ten times a day',
    description:
      'To the client, or to `email`. Within an hour one address gets at most ten mails for passes, whichever workspaces send them, five where only `email` names it, and one workspace sends at most 300; beyond that 429. `email_template` is HTML of your own. It is sanitised: links and pictures may only lead to the platform, of other links the words stay, and addresses that are written out are cut. It may hold the placeholders of templates and {{apple_pass_url}}, {{apple_qrcode_url}}, {{google_pass_url}}, {{google_qrcode_url}}.',
    body: schema.resendPass,
    wrapped: false,
    reply: schema.resentPass,
    handle: async ({ rpc, workspaceId, body: { pass_id: id, ...body } }) => {
      const resent = await rpc.passes.ResendPass({ ...body, workspace_id: workspaceId, id });
      return bare({
        data: resent,
        message: 'the links of the pass are on their way',
        success: true,
      });
    },
  }),
  get(':ws/pushes', {
    stack: member(),
    tag,
    summary:
      'List what is pushed to phones: for each pass the push that is owed, else the last one',
    description: 'To see whether a change reached the phones: filter by status or pass.',
    query: schema.listPushes,
    reply: schema.pushes,
    handle: async ({ rpc, workspaceId, query }) => {
      const request = { ...query, workspace_id: workspaceId };
      const { pushes, total, next_cursor } = await rpc.passes.ListPushes(request);
      return data(pushes, { total, limit: query.limit, next_cursor });
    },
  }),
  post(':ws/pushes/:pushId/retry', {
    stack: member(),
    tag,
    summary: 'Ask for a push again',
    description: 'For one that failed. It goes out with the state that the pass has by then.',
    status: 202,
    body: schema.noFields,
    reply: schema.push,
    handle: async ({ rpc, workspaceId, params: { pushId: id } }) =>
      data(await rpc.passes.RetryPush({ workspace_id: workspaceId, id })),
  }),
  get('/passes/:id', {
    stack: memberOfRow(workspaceOfPass),
    tag,
    summary: 'Read a pass; fields=*,client.* adds its client',
    description:
      'Addresses for both wallets, barcode and status. The person is only in it when asked for.',
    query: schema.readPass,
    reply: schema.pass,
    handle: async ({ rpc, workspaceId, params: { id }, query: { fields = '' } }) => {
      const request = { workspace_id: workspaceId, id, with_client: fields.includes('client.') };
      return data(await rpc.passes.GetPass(request));
    },
  }),
  patch('/passes/:id', {
    stack: memberOfRow(workspaceOfPass),
    tag,
    summary: 'Change a pass; it is updated on phones',
    description: 'With duration_days the template is a temporary one and goes back by itself.',
    body: schema.updatePass,
    reply: schema.pass,
    handle: async ({ rpc, workspaceId, params: { id }, body }) => {
      requireSameWorkspace(body.workspace_id, workspaceId);
      return data(await rpc.passes.UpdatePass({ ...body, workspace_id: workspaceId, id }));
    },
  }),
  ...ENDS.map(({ path, status, summary, description }) =>
    post(path, {
      stack: memberOfRow(workspaceOfPassOrGone),
      tag,
      summary,
      description,
      body: schema.noFields,
      status: 200,
      reply: schema.pass,
      handle: async ({ rpc, workspaceId, params: { id } }) =>
        data(await rpc.passes.UpdatePass({ workspace_id: workspaceId, id: id!, status })),
    }),
  ),
  del('/passes/:id', {
    stack: memberOfRow(workspaceOfPass),
    tag,
    summary: 'Delete a pass',
    description:
      'Phones are pushed a last time and get an empty, voided card. The client stays; to end a card but keep it listed, void it.',
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.passes.DeletePass({ workspace_id: workspaceId, id });
      return message('the pass is deleted');
    },
  }),
  get(':ws/clients/:id/passes', {
    stack: member(),
    tag,
    summary: 'List the passes of a client, newest first',
    description:
      'A client has one for each template at most. Empty for somebody who never took a card.',
    reply: schema.passes,
    handle: async ({ rpc, workspaceId, params: { id } }) => {
      await rpc.clients.GetClient({ workspace_id: workspaceId, id });
      const request = { workspace_id: workspaceId, client_ids: [id] };
      return data((await rpc.passes.ListPassesOfClients(request)).passes);
    },
  }),
];
