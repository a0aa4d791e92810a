// People who are forgotten, the cards that everybody holds, and campaigns: what of a scene is not about points.
import { randomUUID } from 'node:crypto';
import { someAtOnce } from './at-once.mjs';

/** @typedef {import('./phones.mjs').Card} Card */
/** @typedef {import('./scene.mjs').Guest} Guest */
/** @typedef {import('./scene.mjs').Make} Make */

/** @param {Make} make @param {string} path @param {number} count @returns {Promise<Guest[]>} */
export async function makeGuests(make, path, count) {
  const guests = [];
  for (let number = 0; number < count; number += 1) {
    const canary = `canary${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    const { data } = await make(`${path}/clients`, {
      first_name: canary,
      last_name: canary,
      email: `${canary}@example.com`,
      custom_fields: { nickname: canary },
      marketing_consent_text: `${canary} agrees`,
      marketing_consent: true,
      loyalty_program_enabled: true,
    });
    guests.push({ canary, clientId: data.id });
  }
  return guests;
}

/** A card that shows whom it is of, and the points. @param {Make} make @param {string} path @param {{ apple: object, google: object }} credentials */
export async function makeTemplate(make, path, { apple, google }) {
  await make(`${path}/passes/wallet-credentials/apple`, apple, 'PUT');
  await make(`${path}/passes/wallet-credentials/google`, google, 'PUT');
  const { data: project } = await make(`${path}/projects`, { name: 'Cards' });
  const { data } = await make(`${path}/pass-templates`, {
    name: 'Card',
    project_id: project.id,
    top_field_label: 'Points',
    top_field_value: '${wallet:points.points}',
    front_fields: [{ id: 'name', label: 'Member', value: '${client.first_name}' }],
  });
  return data;
}

/** @param {Make} make @param {string} path @param {{ template: { id: string, project_id: string }, ids: string[] }} of @returns {Promise<Card[]>} */
export function makeCards(make, path, { template, ids }) {
  const { id: pass_template_id, project_id } = template;
  return someAtOnce(ids, async (clientId) => {
    const body = { project_id, pass_template_id, client_id: clientId };
    const { data } = await make(`${path}/passes`, body);
    return {
      ...{ clientId, passId: data.id },
      ...{ link: data.apple_pass_url, googleLink: data.google_pass_url },
    };
  });
}

/** Its reward is its own alone: who has it has it of the campaign. @param {Make} make @param {string} path @param {{ number: number, clientIds: string[] }} of */
export async function makeCampaign(make, path, { number, clientIds }) {
  const reward = { name: `Gift ${number}`, cost_in_points: 0, code_pattern: 'G-{RAND:8}' };
  const rewardId = (await make(`${path}/rewards`, reward)).data.id;
  const wanted = { name: `Campaign ${number}`, manual_client_ids: clientIds };
  const { data } = await make(`${path}/campaigns`, wanted);
  await make(`/service-api/campaigns/${data.id}/actions`, {
    action_type: 'give_reward',
    action_config: { reward_ids: [rewardId] },
  });
  return { id: data.id, rewardId, clientIds };
}
