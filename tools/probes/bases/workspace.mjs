// Operations inside a workspace.
import { randomUUID } from 'node:crypto';
import { email, unique } from '../makers/inputs.mjs';
import { aside, moves, on, provider, RANGE, RULE, SALES, sends, uploads } from './parts.mjs';

const CLIENT_FILE = uploads(() => ({
  name: 'file',
  filename: 'a.csv',
  type: 'text/csv',
  content: Buffer.from(`email,first_name\n${email()},Cy\n`),
}));

const MAIL = { kind: 'portal_code', language: 'de' };

/** @type {Record<string, import('./parts.mjs').MakeBase>} */
export const WORKSPACE = {
  'GET :ws/loyalty/points/statement': async (world) => ({
    query: { wallet_type_code: await world.get('wallet_code') },
  }),
  'GET :ws/webhooks/{id}/deliveries/{deliveryId}': async (world) => ({
    params: { deliveryId: await world.get('delivery'), id: await world.get('webhook') },
  }),
  'DELETE :ws': async (_world, row) => {
    const { id, slug } = await row('workspace');
    return { params: { workspaceId: id }, body: { confirm_slug: slug } };
  },
  'POST :ws/clock/advance': async (_world, row) => ({
    params: { workspaceId: (await row('sandbox')).id },
    body: { to: new Date(Date.now() + 86_400_000).toISOString() },
  }),
  // One at a time of each source.
  'POST :ws/clone': async (_world, row) => ({
    params: { workspaceId: (await row('workspace')).id },
    body: { name: 'Clone' },
  }),
  'PATCH :ws': aside([], { name: 'Shop' }),
  'POST :ws/automations': sends(() => RULE),
  'POST :ws/automations/backtest': async (world) => ({
    body: { rule_id: await world.get('rule'), ...RANGE },
  }),
  'POST :ws/automations/simulate': async (world) => ({
    body: {
      client_id: await world.get('client'),
      rule_ids: [await world.get('rule')],
      event: { trigger_type: 'transaction', event_type: 'purchase', amount: 5 },
    },
  }),
  'DELETE :ws/clients/{id}/external-identities/{provider}': async (_world, row) =>
    row('identity').then(({ id, provider }) => ({ params: { id, provider } })),
  'PUT :ws/clients/{id}/external-identities/{provider}': async (_world, row) => ({
    params: { id: await row('client'), provider: 'till' },
    body: { external_id: randomUUID() },
  }),
  'POST :ws/clients/import': CLIENT_FILE,
  'POST :ws/clients/import/check': CLIENT_FILE,
  'POST :ws/clients': sends(() => ({ email: email(), first_name: 'Ada' })),
  'POST :ws/clients/merge': async (world, row) => ({
    body: { source_client_id: await row('client'), target_client_id: await world.get('client') },
  }),
  'POST :ws/custom-events': async (world) => ({
    body: { client_id: await world.get('client'), event_type: 'visit', metadata: { a: 1 } },
  }),
  'POST :ws/data-model': sends(() => ({ field_name: unique('f'), field_type: 'text' })),
  'POST :ws/distributions': async (world) => ({
    body: {
      project_id: await world.get('project'),
      pass_template_id: await world.get('template'),
      name: 'Counter',
      form_fields_config: [{ name: 'phone', label: 'Phone' }],
    },
  }),
  'GET :ws/integrations/{provider}': provider('pos'),
  'PUT :ws/integrations/{provider}': async (_world, row) => ({
    params: { workspaceId: (await row('side')).id, provider: 'webhook_inbox' },
    body: {
      enabled_inbound: true,
      config: {
        mapping: { event_category: '"transaction"', event_type: '"purchase"', email: 'body.email' },
      },
    },
  }),
  'DELETE :ws/integrations/{provider}': async (_world, row) => {
    const side = await row('side');
    await side.get('inbox');
    return { params: { workspaceId: side.id, provider: 'webhook_inbox' } };
  },
  'GET :ws/integrations/{provider}/health': provider('webhook_inbox'),
  'GET :ws/integrations/{provider}/import-jobs': provider('pos'),
  'GET :ws/integrations/{provider}/import-jobs/{jobId}': async (world) => ({
    params: { provider: 'pos', jobId: await world.get('sales_import') },
  }),
  'POST :ws/integrations/{provider}/import-jobs/{jobId}/cancel': async (_world, row) => ({
    params: { provider: 'pos', jobId: await row('sales_import') },
  }),
  'POST :ws/integrations/{provider}/import-transactions': provider('pos', { body: SALES }),
  'GET :ws/integrations/{provider}/inbox-messages': provider('webhook_inbox'),
  'GET :ws/integrations/{provider}/inbox-messages/{id}': async (world) => ({
    params: { provider: 'webhook_inbox', id: await world.get('inbox_message') },
  }),
  'POST :ws/integrations/{provider}/inbox-messages/{id}/retry': async (_world, row) => ({
    params: { provider: 'webhook_inbox', id: await row('inbox_message') },
  }),
  'POST :ws/integrations/{provider}/provision-inbox': provider('webhook_inbox'),
  'POST :ws/integrations/{provider}/rotate-inbox-token': async (_world, row) => {
    const side = await row('side');
    await side.get('inbox');
    return { params: { workspaceId: side.id, provider: 'webhook_inbox' } };
  },
  'POST :ws/integrations/{provider}/test-connection': provider('pos', { body: {} }),
  'POST :ws/loyalty/config': aside([], {}),
  'PUT :ws/loyalty/config': aside([], {}),
  'PATCH :ws/loyalty/config': aside(['loyalty_config'], {}),
  'POST :ws/loyalty/points/batch': async (world) => {
    await world.get('entry');
    const earn = { type: 'earn', client_id: await world.get('client'), amount: 1 };
    return { body: { operations: [earn] } };
  },
  'POST :ws/loyalty/points/lock': moves({}),
  'POST :ws/loyalty/points/spend': moves({}),
  'POST :ws/loyalty/points/refund': async (_world, row) => ({
    body: { source_id: await row('sale'), ratio: 0.5 },
  }),
  'POST :ws/loyalty/points/transfer': async (world, row) => {
    await world.get('entry');
    const from_client_id = await world.get('client');
    return { body: { from_client_id, to_client_id: await row('client'), amount: 1 } };
  },
  'POST :ws/loyalty/points/adjust': moves({ description: 'for a reason' }),
  'POST :ws/loyalty/points/ledger/{entryId}/cancel': on('small_entry', 'entryId', {
    reason: 'a mistake',
  }),
  'POST :ws/mobile-app-config': aside([], { is_enabled: true }),
  'DELETE :ws/mobile-app-config': aside(['app']),
  'PATCH :ws/mobile-app-config': aside(['app'], { is_enabled: true }),
  'POST :ws/mobile-app-config/actions': async (world) => {
    await world.get('app');
    return { body: { name: 'Action', action_type: 'add_points' } };
  },
  'POST :ws/mobile-app-config/actions/reorder': async (_world, row) => {
    const side = await row('side');
    await side.get('app');
    const { data } = await side.ask('GET', ':ws/mobile-app-config');
    const action_ids = data.actions.map((/** @type {{ id: string }} */ { id }) => id);
    return { params: { workspaceId: side.id }, body: { action_ids } };
  },
  'POST :ws/mobile-app-users': sends(() => ({ email: email() })),
  'POST :ws/mobile-app-users/{userId}/send-pairing-code': on('mobile_user', 'userId', {
    delivery_method: 'none',
  }),
  'DELETE :ws/mobile-app-users/{userId}/sessions/{sessionId}': async (_world, row) => {
    const { userId, sessionId } = await row('device');
    return { params: { userId, sessionId } };
  },
  'POST :ws/passes': async (world, row) => ({
    body: {
      project_id: await world.get('project'),
      pass_template_id: await world.get('template'),
      client_id: await row('client'),
    },
  }),
  'POST :ws/pass-templates': async (world) => ({
    body: { name: unique('Card'), project_id: await world.get('project') },
  }),
  'GET :ws/programmes/{name}': async (world) => ({
    params: { name: await world.get('programme') },
  }),
  'PUT :ws/programmes/{name}': async (_world, row) => ({
    params: { workspaceId: (await row('side')).id, name: 'files' },
    body: { managed: [{ kind: 'rewards', key: 'tea', fields: { name: '0123456789abcdef' } }] },
  }),
  'GET :ws/referral-program': async (world) => {
    await world.get('referral');
    return {};
  },
  'DELETE :ws/mails/{kind}/{language}': async () => ({ params: MAIL }),
  'PUT :ws/mails/{kind}/{language}': async () => ({
    params: MAIL,
    body: { subject: 'Your code', text: 'It is {{code}}.' },
  }),
  'POST :ws/mails/{kind}/{language}/preview': async () => ({ params: MAIL, body: {} }),
  'PUT :ws/referral-program': aside([], {
    enabled: true,
    completion_criteria: 'first_transaction',
  }),
  'DELETE :ws/referral-program': aside(['referral']),
  'POST :ws/referrals/cancel-pending': aside(['referral'], {}),
  'POST :ws/segments': sends(() => ({
    name: 'Adas',
    filters: [
      {
        filter_type: 'client_field',
        filter_config: { field: 'first_name', operator: '_contains', value: 'Ad' },
      },
    ],
  })),
  'POST :ws/segments/preview': sends(() => ({
    filters: [
      {
        filter_type: 'client_field',
        filter_config: { field: 'first_name', operator: '_contains', value: 'Ad' },
      },
    ],
  })),
  'POST :ws/tiers': async (world) => {
    await world.get('tier_set');
    return { body: { name: unique('Tier'), kind: 'exclusive', condition_values: {} } };
  },
  'POST :ws/tiers/assign': async (world, row) => ({
    body: { client_id: await row('client'), tier_id: await world.get('tier') },
  }),
  'POST :ws/tiers/unassign': async (world, row) => {
    await world.get('tier');
    return { body: { client_id: await row('client') } };
  },
  'POST :ws/tiers/reorder': async (_world, row) => {
    const side = await row('side');
    const tier = await side.get('tier');
    return { params: { workspaceId: side.id }, body: { tier_ids: [tier] } };
  },
  'POST :ws/tiers/set': aside([], { name: 'Ranks' }),
  'PATCH :ws/tiers/set': aside(['tier_set'], { name: 'Ranks' }),
  'DELETE :ws/tiers/set': aside(['tier_set']),
  'POST :ws/wallet-types': sends(() => ({ code: unique('points'), name: 'Points' })),
  'POST :ws/webhooks': async (world) => ({
    body: { url: world.client.outside, event_types: ['client.created'] },
  }),
  'POST :ws/webhooks/{id}/deliveries/{deliveryId}/retry': async (world) => ({
    params: { deliveryId: await world.get('delivery'), id: await world.get('webhook') },
  }),
  'POST :ws/webhooks/{id}/replay': on('webhook', 'id', {
    from_date: '2026-01-01',
    to_date: '2026-01-31',
  }),
  'POST :ws/image-source/preview': sends(() => ({ raw: 'https://example.com/a.png' })),
};
