// Events without and with rules, and redemptions.
import { keyOfHalf, prepareScene } from '../subjects.mjs';

const RULES = 10;
const CLIENTS = 100;

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {import('../subjects.mjs').Scene} scene
 * @returns {Promise<ReturnType<typeof import('../subjects.mjs').subjectsOf>>}
 */
export async function moreSubjectsOf(http, scene) {
  const ruled = await prepareScene(http, CLIENTS);
  for (let number = 0; number < RULES; number += 1)
    await http.request('POST', `${ruled.workspace}/automations`, {
      token: ruled.token,
      body: {
        name: `Rule ${number}`,
        trigger_type: 'custom_event',
        trigger_config: { event_types: [`bench_${number}`] },
        effects: [
          { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 },
        ],
      },
    });
  const reward = await http.request('POST', `${scene.workspace}/rewards`, {
    token: scene.token,
    body: { name: 'Coffee', cost_in_points: 1 },
  });
  /** @param {import('../subjects.mjs').Scene} where */
  const posting = (where) => (/** @type {number} */ sequence) =>
    http.request('POST', `${where.workspace}/custom-events`, {
      token: where.token,
      headers: keyOfHalf(sequence),
      body: { client_id: clientOf(where, sequence), event_type: 'bench_3' },
    });
  return {
    'post event, no rule': { operation: posting(scene) },
    'post event, ten rules, one fires': { operation: posting(ruled) },
    redeem: {
      operation: (sequence) =>
        http.request('POST', `${scene.workspace}/rewards/redeem`, {
          token: scene.token,
          headers: keyOfHalf(sequence),
          body: { reward_id: reward.data.id, client_id: clientOf(scene, sequence) },
        }),
    },
  };
}

/** @param {import('../subjects.mjs').Scene} scene @param {number} sequence */
const clientOf = ({ clientIds }, sequence) => clientIds[sequence % clientIds.length];
