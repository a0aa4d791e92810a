// Operations that no workspace stands before.
import { email, picture } from '../makers/inputs.mjs';
import {
  byCookie,
  OWN_PAGE,
  ofPhone,
  on,
  onPhone,
  sends,
  session,
  signed,
  uploads,
  widget,
} from './parts.mjs';

/** @param {import('../world.mjs').World} world */
const password = async (world) => ({
  email: world.owner.email,
  password: 'correct horse battery staple',
});
/** @param {unknown} _world @param {import('./parts.mjs').Row} row */
const pairingCode = async (_world, row) => {
  const { email: identifier, code } = await row('pairing');
  return { identifier, code };
};
const accountSession = byCookie('/auth/session', password);
/** Each code pairs one phone, so each request needs one of its own. */
const tillSession = byCookie('/service-api/mobile-app/session', (world) =>
  pairingCode(world, (noun) => world.fresh(noun)),
);

/** @param {import('../world.mjs').World} world */
const tillAction = async (world) => ({
  params: { id: await world.get('app_action') },
  // Points need a wallet to go to.
  query: (await world.get('entry')) && {},
  body: { pass_id: await world.get('pass'), data: { points: 1 } },
});

/** Somebody whose sessions may end. @param {import('../world.mjs').World} world */
async function throwaway(world) {
  const { access_token } = await world.client.signIn(await world.client.register());
  return { headers: { Authorization: `Bearer ${access_token}` } };
}

/** @type {Record<string, import('./parts.mjs').MakeBase>} */
export const OUTSIDE = {
  'POST !/apple/v1/devices/{device}/registrations/{passType}/{serialNumber}': async (
    world,
    row,
  ) => ({
    ...(await ofPhone(world, row)),
    body: { pushToken: 'abc' },
  }),
  'DELETE !/apple/v1/devices/{device}/registrations/{passType}/{serialNumber}': ofPhone,
  'GET !/apple/v1/passes/{passType}/{serialNumber}': ofPhone,
  // Each address is good once.
  'GET !/downloads/{token}': async (world) => {
    const { url } = (await world.ask('POST', ':ws/downloads', { kind: 'customers' })).data;
    return { params: { token: url.slice(url.lastIndexOf('/') + 1) } };
  },
  'POST !/auth/login': async (world) => ({ body: await password(world) }),
  'POST !/auth/session': async (world) => ({ body: await password(world), headers: OWN_PAGE }),
  'POST !/auth/session/refresh': accountSession,
  'DELETE !/auth/session': accountSession,
  'POST !/auth/logout': session('refresh_token'),
  'POST !/auth/refresh': session('refresh_token'),
  'POST !/auth/register': sends(() => ({ email: email(), password: 'correct horse battery' })),
  'POST !/inbox/{inboxId}/{token}': async (world) => ({
    params: await world.get('inbox'),
    body: { email: email(), total: 5 },
  }),
  'GET !/p/{passId}/{signature}/apple': signed,
  'GET !/p/{passId}/{signature}/apple.png': signed,
  'GET !/p/{passId}/{signature}/google': signed,
  'GET !/p/{passId}/{signature}/google.png': signed,
  'POST /accept-invitation': async (world, row) => {
    const { guest, token } = await row('invitation_token');
    const { access_token } = await world.client.signIn(guest);
    return {
      body: { invitation_token: token },
      headers: { Authorization: `Bearer ${access_token}` },
    };
  },
  'POST /campaign-actions/{id}/execute': on('ready_action'),
  'DELETE /campaign-actions/{id}': on('ready_action'),
  'PATCH /campaign-actions/{id}': on('ready_action', 'id', { sort: 3 }),
  'POST /campaigns/{id}/actions': on('campaign', 'id', {
    action_type: 'push_notification',
    action_config: { notification_message: 'Hello' },
  }),
  'POST /campaigns/{id}/actions/reorder': async (world, row) => {
    const id = await row('ready_campaign');
    const { data } = await world.ask('GET', `/service-api/campaigns/${id}/actions`);
    return { params: { id }, body: { action_ids: [data[0].id] } };
  },
  'POST /campaigns/{id}/cancel': on('scheduled_campaign'),
  'POST /campaigns/{id}/execute-all': on('ready_campaign'),
  'POST /campaigns/{id}/launch': on('ready_campaign'),
  'POST /campaigns/{id}/schedule': on('ready_campaign', 'id', {
    scheduled_at: '2031-01-01T00:00:00Z',
  }),
  'POST /campaigns/{id}/unschedule': on('scheduled_campaign'),
  'POST /distribution/submit': async (world) => ({
    body: { distribution_id: (await world.get('form')).id, email: email(), first_name: 'Bo' },
  }),
  'GET /embed/distribution/{token}/config': widget,
  'POST /embed/distribution/{token}/submit': async (world, row) => ({
    ...(await widget(world, row)),
    body: { email: email(), first_name: 'Bo' },
  }),
  'POST /events': async (world) => ({
    body: {
      pass_id: await world.get('pass'),
      event_category: 'transaction',
      event_type: 'purchase',
      amount: 12.5,
      currency: 'EUR',
    },
  }),
  'POST /events/batch': async (world) => ({
    body: {
      events: [
        {
          pass_id: await world.get('pass'),
          event_category: 'transaction',
          event_type: 'purchase',
          amount: 12.5,
          currency: 'EUR',
        },
      ],
    },
  }),
  'POST /files': uploads(() => picture),
  'GET /invitation/{invitationId}': async (world) => ({
    params: { invitationId: (await world.get('invitation_token')).token },
  }),
  'POST /mobile-app-actions/{id}/execute': tillAction,
  'POST /mobile-app-actions/{id}/quote': tillAction,
  'POST /mobile-app/operations/{id}/undo': on('staff_operation'),
  'POST /mobile-app/auth/logout': onPhone,
  'POST /mobile-app/auth/refresh': onPhone,
  'POST /mobile-app/auth/pair': async (world, row) => ({ body: await pairingCode(world, row) }),
  'POST /mobile-app/session': async (world, row) => ({
    body: await pairingCode(world, row),
    headers: OWN_PAGE,
  }),
  'POST /mobile-app/session/refresh': tillSession,
  'DELETE /mobile-app/session': tillSession,
  'POST /mobile-app/receipt-scan': uploads(() => picture),
  'POST /public/loyalty/erase': async (_world, row) => {
    const { email, token } = await row('leaver');
    return { body: { email, confirm_erase: true }, headers: { 'x-client-token': token } };
  },
  'GET /public/loyalty/portal-config': async (world) => {
    await world.get('portal');
    return { query: { workspace_slug: world.slug } };
  },
  'POST /public/loyalty/login/request': async (world) => {
    await world.get('portal');
    return { body: { workspace_slug: world.slug, email: email() } };
  },
  'GET /public/loyalty/rewards/{id}': on('offer', 'id'),
  'POST /public/loyalty/rewards/{id}/redeem': async (world, row) => {
    await world.get('entry');
    return { params: { id: await row('offer') }, body: {} };
  },
  'POST /public/loyalty/logout': async (_world, row) => ({
    headers: { 'x-client-token': (await row('leaver')).token },
  }),
  'POST /public/loyalty/session': async (world) => {
    await world.get('portal');
    return { body: { workspace_slug: world.slug, client_id: await world.get('client') } };
  },
  'POST /templates/{templateId}/migrate-and-delete': async (world, row) => ({
    params: { templateId: await row('template') },
    body: { target_template_id: await world.get('template') },
  }),
  'DELETE /user/sessions': throwaway,
  'DELETE /user/sessions/{id}': async (world) => {
    const { headers } = await throwaway(world);
    const { data } = await world.client.must('GET', '/service-api/user/sessions', { headers });
    return { params: { id: data[0].id }, headers };
  },
  'PATCH /user/me': sends(() => ({ first_name: 'Ada' })),
  'PATCH /pass-templates/{id}': on('template', 'id', { name: 'Card' }),
};
