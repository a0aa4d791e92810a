// Events without and with rules, redemptions, merges, and what webhooks carry.
import { pause } from '../load.mjs';
import { keyOfHalf, newClient, openSink, prepareScene } from '../subjects.mjs';

const RULES = 10;
const CLIENTS = 100;
const REPLAYED = 1_000;
const REPLAYS = 5;

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {import('../subjects.mjs').Scene} scene
 * @returns {Promise<ReturnType<typeof import('../subjects.mjs').subjectsOf>>}
 */
export async function moreSubjectsOf(http, scene) {
  const ruled = await prepareScene(http, CLIENTS);
  for (let number = 0; number < RULES; number += 1)
    await makeRule(http, ruled, { name: `Rule ${number}`, event: `bench_${number}` });
  const limited = await prepareScene(http, CLIENTS);
  const limits = {
    total_budget: 1_000_000_000,
    executions_per_client: { interval: 'day', value: 1_000 },
  };
  await makeRule(http, limited, { name: 'While the budget lasts', event: 'bench_3', limits });
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
    'post event, one rule with limits': { operation: posting(limited) },
    'create client and merge it into another': {
      operation: async (sequence) => {
        const { token, workspace } = scene;
        const request = { token, body: newClient(sequence) };
        const { data } = await http.request('POST', `${workspace}/clients`, request);
        const body = { source_client_id: data.id, target_client_id: clientOf(scene, sequence) };
        await http.request('POST', `${workspace}/clients/merge`, { token, body });
      },
    },
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

/**
 * @param {import('../subjects.mjs').Http} http
 * @param {import('../subjects.mjs').Scene} scene
 * @param {{ name: string, event: string, limits?: object }} rule
 */
const makeRule = (http, { token, workspace }, { event, ...rule }) =>
  http.request('POST', `${workspace}/automations`, {
    token,
    body: {
      ...rule,
      trigger_type: 'custom_event',
      trigger_config: { event_types: [event] },
      effects: [
        { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 },
      ],
    },
  });

/** @param {import('../subjects.mjs').Scene} scene @param {number} sequence */
const clientOf = ({ clientIds }, sequence) => clientIds[sequence % clientIds.length];

/**
 * A thousand events that a webhook has had already, sent to it again.
 *
 * @param {import('../subjects.mjs').Http} http
 * @returns {Promise<import('../subjects.mjs').Subject & { close: () => void }>}
 */
export async function replaysOf(http) {
  const sink = await openSink();
  const { token, workspace, clientIds } = await prepareScene(http, CLIENTS);
  const { data } = await http.request('POST', `${workspace}/webhooks`, {
    token,
    body: { url: sink.url, event_types: ['loyalty.points_spent'] },
  });
  const from = new Date(Date.now() - 1_000).toISOString();
  const operations = Array.from({ length: REPLAYED }, (_, index) => ({
    op: 'spend',
    client_id: clientIds[index % clientIds.length],
    amount: 1,
  }));
  await http.request('POST', `${workspace}/loyalty/points/batch`, { token, body: { operations } });
  let expected = REPLAYED;
  await sink.received(expected);
  const to = new Date(Date.now() + 1_000).toISOString();
  // What has been received and is not yet noted still waits, and a replay leaves alone what waits.
  const untilRecorded = async () => {
    const path = `${workspace}/webhooks/${data.id}/deliveries?status=pending&limit=1`;
    while ((await http.request('GET', path, { token })).data.length > 0) await pause(100);
  };
  await untilRecorded();
  return {
    perCall: REPLAYED,
    oneByOne: REPLAYS,
    operation: async () => {
      await http.request('POST', `${workspace}/webhooks/${data.id}/replay`, {
        token,
        body: { from_date: from, to_date: to },
        statuses: [202],
      });
      expected += REPLAYED;
      const received = await sink.received(expected);
      if (received < expected) throw new Error(`${received} of ${expected} were delivered`);
      await untilRecorded();
    },
    close: sink.close,
  };
}
