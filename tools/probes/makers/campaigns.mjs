// What a workspace has of segments, rules and campaigns.
import { posted } from './inputs.mjs';

/** @typedef {import('../world.mjs').World} World */

const RANGE = { from_date: '2026-01-01', to_date: '2026-01-31' };

/** @param {World} world */
async function campaign(world) {
  const body = { name: 'Spring', manual_client_ids: [await world.get('client')] };
  return (await world.ask('POST', ':ws/campaigns', body)).data.id;
}

/** @param {World} world @param {string} campaignId */
async function actionOf(world, campaignId) {
  const body = {
    action_type: 'custom_field_update',
    action_config: { custom_field_updates: { vip: true } },
  };
  await world.get('data_field');
  return (await world.ask('POST', `/service-api/campaigns/${campaignId}/actions`, body)).data.id;
}

/** A campaign that can be launched. @param {World} world */
async function readyCampaign(world) {
  const id = await campaign(world);
  await actionOf(world, id);
  return id;
}

/** @param {World} world */
async function launchedCampaign(world) {
  const id = await readyCampaign(world);
  await world.ask('POST', `/service-api/campaigns/${id}/launch`);
  return id;
}

/** @type {Record<string, import('./index.mjs').Maker>} */
export const CAMPAIGNS = {
  segment: posted(':ws/segments', {
    name: 'Adas',
    filters: [
      {
        filter_type: 'client_field',
        filter_config: { field: 'first_name', operator: '_eq', value: 'Ada' },
      },
    ],
  }),
  rule: async (world) => {
    await world.get('wallet_type');
    const body = {
      name: 'Rule',
      active: false,
      trigger_type: 'transaction',
      effects: [{ type: 'send_push', body: 'Hello' }],
    };
    return (await world.ask('POST', ':ws/automations', body)).data.id;
  },
  backtest: async (world) => {
    const body = { rule_id: await world.get('rule'), ...RANGE };
    return (await world.ask('POST', ':ws/automations/backtest', body)).data.id;
  },
  campaign,
  campaign_action: async (world) => actionOf(world, await world.get('campaign')),
  ready_campaign: readyCampaign,
  launched_campaign: launchedCampaign,
  ready_action: async (world) => actionOf(world, await campaign(world)),
  scheduled_campaign: async (world) => {
    const id = await readyCampaign(world);
    const body = { scheduled_at: '2031-01-01T00:00:00Z' };
    await world.ask('POST', `/service-api/campaigns/${id}/schedule`, body);
    return id;
  },
};
