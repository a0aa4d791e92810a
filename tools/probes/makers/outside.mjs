// What a workspace has of webhooks and integrations.
import { randomUUID } from 'node:crypto';
import { until } from '../../lib/until.mjs';

/** @typedef {import('../world.mjs').World} World */

/** @param {World} world */
async function inbox(world) {
  const body = {
    enabled_inbound: true,
    config: {
      mapping: { event_category: '"transaction"', event_type: '"purchase"', email: 'body.email' },
    },
  };
  const { data, token } = await world.ask('PUT', ':ws/integrations/webhook_inbox', body);
  return { inboxId: data.inbox_id, token };
}

/** A message that could not be worked on. @param {World} world */
async function inboxMessage(world) {
  const { inboxId, token } = await world.get('inbox');
  const { data } = await world.client.must('POST', `/inbox/${inboxId}/${token}`, {
    body: { email: 5 },
  });
  const path = `:ws/integrations/webhook_inbox/inbox-messages/${data.id}`;
  await until(async () => {
    const { status } = (await world.ask('GET', path)).data;
    return status !== 'pending' && status !== 'leased';
  }, 'the inbox message');
  return data.id;
}

/** @param {World} world */
async function importOfSales(world) {
  const config = { base_url: world.client.outside, location_ids: [1] };
  await world.ask('PUT', ':ws/integrations/pos', { secrets: { api_key: 'key' }, config });
  const range = { date_from: '2026-01-01', date_to: '2026-01-31', location_ids: [1] };
  const { data } = await world.ask('POST', ':ws/integrations/pos/import-transactions', range);
  await until(async () => {
    const path = `:ws/integrations/pos/import-jobs/${data.id}`;
    return (await world.ask('GET', path)).data.finished_at;
  }, 'the import of sales');
  return data.id;
}

/** @param {World} world */
async function delivery(world) {
  const webhook = await world.get('webhook');
  await world.fresh('client');
  return until(async () => {
    const { data } = await world.ask('GET', `:ws/webhooks/${webhook}/deliveries`);
    return data.find((/** @type {any} */ each) => each.delivered_at !== null)?.id;
  }, 'a delivery');
}

/** What an outside system hears of a client. @param {World} world */
async function outboundJob(world) {
  const config = { base_url: world.client.outside };
  const body = { config, secrets: { api_key: 'key' }, enabled_outbound: true };
  await world.ask('PUT', ':ws/integrations/crm_sync', body);
  await world.fresh('client');
  return until(async () => {
    const { data } = await world.ask('GET', ':ws/outbound-jobs');
    return data[0]?.id;
  }, 'an outbound job');
}

/** @param {World} world @param {string} path */
async function firstOf(world, path) {
  const { data } = await world.ask('GET', path);
  return data[0]?.id ?? randomUUID();
}

/** @type {Record<string, import('./index.mjs').Maker>} */
export const OUTSIDE = {
  webhook: async (world) => {
    const body = { url: world.client.outside, event_types: ['client.created'] };
    return (await world.ask('POST', ':ws/webhooks', body)).data.id;
  },
  delivery,
  inbox,
  inbox_message: inboxMessage,
  sales_import: importOfSales,
  crm: async (world) => {
    const config = { base_url: world.client.outside };
    await world.ask('PUT', ':ws/integrations/crm_sync', { config });
    return 'crm_sync';
  },
  outbound_job: outboundJob,
  // Cannot be made by a request: the first there is, if there is one.
  push: async (world) => firstOf(world, ':ws/pushes'),
};
