// What is measured of cards: each row does its work and says what it came to.
import { Pool } from 'undici';
import { PASS_TYPE } from '../../lib/apple.mjs';
import { pause } from '../load.mjs';

/**
 * @typedef {{ units: number, seconds: number, cpuUs: Record<string, number> }} Cost
 * @typedef {Cost & { name: string, more?: string }} Figure
 * @typedef {{ http: import('../subjects.mjs').Http, cards: import('./scene.mjs').Cards, apple: Awaited<ReturnType<typeof import('../../lib/apple.mjs').startApple>>, inFlight: number, baseUrl: string }} Around
 * @typedef {(around: Around, cost: (work: () => Promise<number>) => Promise<Cost>) => Promise<Figure[]>} Row
 */

const DOWNLOADS = 1_500;
const PREVIEWS = 40;
const SAMPLE = 50;
const LOOK_MS = 100;
const WITHIN_MS = 3_600_000;

/** @type {Record<string, Row>} */
export const ROWS = { pkpass, preview, template, campaign };

/** @param {number} count @param {number} inFlight @param {(sequence: number) => Promise<unknown>} work */
async function all(count, inFlight, work) {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return count;
}

/** @param {() => Promise<boolean>} isSo @param {string} what */
async function until(isSo, what) {
  const deadline = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`in vain: ${what}`);
    await pause(LOOK_MS);
  }
}

/** @type {Row} */
async function pkpass({ http, cards, inFlight, baseUrl }, cost) {
  const { token, members } = cards;
  const sample = members.slice(0, SAMPLE);
  const links = await Promise.all(
    sample.map(async ({ passId }) => {
      const path = `/service-api/passes/${passId}`;
      const { data } = await http.request('GET', path, { token });
      return new URL(data.apple_pass_url).pathname;
    }),
  );
  const pool = new Pool(baseUrl, { connections: inFlight });
  let bytes = 0;
  const download = async (/** @type {number} */ sequence) => {
    const path = /** @type {string} */ (links[sequence % links.length]);
    const reply = await pool.request({ method: 'GET', path });
    const content = await reply.body.arrayBuffer();
    if (reply.statusCode !== 200)
      throw new Error(`${path}: ${reply.statusCode} ${Buffer.from(content)}`);
    bytes = content.byteLength;
  };
  await all(inFlight * 3, inFlight, download);
  const measured = await cost(() => all(DOWNLOADS, inFlight, download));
  await pool.close();
  return [{ name: '.pkpass downloads', ...measured, more: `${bytes} bytes each` }];
}

/** @type {Row} */
async function preview({ http, cards, baseUrl }, cost) {
  const { token, workspace, templateId, members } = cards;
  const pool = new Pool(baseUrl, { connections: 2 });
  const figures = [];
  const draw = async (/** @type {string} */ query) => {
    const path = `${workspace}/pass-templates/${templateId}/preview?format=png${query}`;
    const reply = await pool.request({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
    });
    const content = await reply.body.arrayBuffer();
    if (reply.statusCode !== 200) throw new Error(`${path}: ${Buffer.from(content)}`);
  };
  /** @type {[string, (sequence: number) => Promise<unknown>][]} */
  const kinds = [
    ['preview PNG, nobody', () => draw('&platform=apple')],
    [
      'preview PNG, of a member each',
      (sequence) => draw(`&platform=apple&client_id=${members[sequence]?.clientId}`),
    ],
    [
      'preview PNG, after a change of colour each',
      async (sequence) => {
        const colour = `#${(0x102030 + sequence).toString(16)}`;
        const body = { background_color: colour };
        await http.request('PATCH', `/service-api/pass-templates/${templateId}`, { token, body });
        const began = performance.now();
        await draw('&platform=apple');
        return performance.now() - began;
      },
    ],
  ];
  for (const [name, work] of kinds) {
    await all(5, 1, work);
    /** @type {number[]} */
    const durations = [];
    const measured = await cost(() =>
      all(PREVIEWS, 1, async (sequence) => {
        const began = performance.now();
        const own = await work(sequence + 5);
        durations.push(typeof own === 'number' ? own : performance.now() - began);
      }),
    );
    durations.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) =>
      durations[Math.floor(durations.length * share)]?.toFixed(0);
    figures.push({ name, ...measured, more: `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms` });
  }
  await pool.close();
  return figures;
}

/** The first of each kind, the last, and some between. @param {import('./members.mjs').Member[]} members */
const sampleOf = (members) =>
  Array.from(
    { length: SAMPLE },
    (_, index) =>
      /** @type {import('./members.mjs').Member} */ (
        members[Math.floor((index * (members.length - 1)) / (SAMPLE - 1))]
      ),
  );

/** @type {Row} */
async function template({ http, cards, apple }, cost) {
  const { token, templateId, members } = cards;
  const sample = sampleOf(members);
  const list = (/** @type {string} */ device, since = '') =>
    http.request('GET', `/apple/v1/devices/${device}/registrations/${PASS_TYPE}${since}`, {
      statuses: [200, 204],
    });
  const tags = await Promise.all(
    sample.map(async ({ device }) => (await list(device))?.lastUpdated ?? '0'),
  );
  apple.pushed.clear();
  let listed = 0;
  const began = performance.now();
  const measured = await cost(async () => {
    const body = { top_field_label: `Points ${Date.now()}` };
    await http.request('PATCH', `/service-api/pass-templates/${templateId}`, { token, body });
    const waiting = new Map(sample.map(({ passId, device }, index) => [passId, { device, index }]));
    await until(async () => {
      for (const [passId, { device, index }] of waiting) {
        const found = await list(device, `?passesUpdatedSince=${tags[index]}`);
        if (found?.serialNumbers?.includes(passId)) waiting.delete(passId);
        else break;
      }
      if (waiting.size === 0 && listed === 0) listed = (performance.now() - began) / 1_000;
      return waiting.size === 0 && apple.pushed.size >= members.length;
    }, 'every phone is told');
    return members.length;
  });
  const more = `every list of ${SAMPLE} shows it after ${listed.toFixed(2)} s, every phone was pushed to at the end`;
  return [{ name: 'template change', ...measured, more }];
}

/** @type {Row} */
async function campaign({ http, cards, apple }, cost) {
  const { token, workspace, members } = cards;
  const post = async (/** @type {string} */ to, /** @type {object} */ body) =>
    (await http.request('POST', to, { token, body, statuses: [200, 201, 202] })).data;
  const everybody = {
    filter_type: 'client_field',
    filter_config: { field: 'last_name', operator: '_contains', value: 'Member' },
  };
  const segment = await post(`${workspace}/segments`, { name: 'All', filters: [everybody] });
  await http.request('POST', `${workspace}/custom-fields`, {
    token,
    body: { name: 'wave', type: 'number' },
    statuses: [200, 201, 404, 400],
  });
  /** @type {[string, string, object][]} */
  const kinds = [
    ['campaign, messages', 'push_notification', { notification_message: `Hello ${Date.now()}` }],
    ['campaign, fields', 'custom_field_update', { custom_field_updates: { wave: 1 } }],
  ];
  const figures = [];
  for (const [name, action_type, action_config] of kinds) {
    const made = await post(`${workspace}/campaigns`, { name, segment_id: segment.id });
    await post(`/service-api/campaigns/${made.id}/actions`, { action_type, action_config });
    apple.pushed.clear();
    const measured = await cost(async () => {
      await post(`/service-api/campaigns/${made.id}/launch`, {});
      await until(async () => {
        const { data } = await http.request('GET', `/service-api/campaigns/${made.id}`, { token });
        return data.status === 'completed';
      }, 'the campaign is completed');
      return members.length;
    });
    const { data } = await http.request('GET', `/service-api/campaigns/${made.id}/statistics`, {
      token,
    });
    figures.push({ name, ...measured, more: JSON.stringify(data) });
  }
  return figures;
}
