// Where a request names rows, and how it looks with the id of another row in that place.
import { namesRow, nounOfField, nounOfParameter } from './nouns.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./operations.mjs').Schema} Schema */
/** @typedef {import('./requests.mjs').Request} Request */
/**
 * @typedef {object} Place
 * @property {string} where `path id`, `body reward_id`
 * @property {string} noun
 * @property {(request: Request, id: string) => Request} put
 */

/**
 * Every place of an operation that names a row.
 *
 * @param {Operation} operation
 * @returns {Place[]}
 */
export function placesOf(operation) {
  const places = [
    ...operation.params.flatMap(({ name }) => parameterPlace(operation, name)),
    ...operation.query.flatMap(({ name, schema }) => queryPlace(name, schema)),
    ...bodyPlaces(operation.body, []),
    ...(NESTED[operation.id] ?? []).map(([where, noun, bodyOf]) => ({
      where: `body ${where}`,
      noun,
      put: (/** @type {Request} */ request, /** @type {string} */ id) => ({
        ...request,
        body: { ...request.body, ...bodyOf(id) },
      }),
    })),
  ];
  return places.filter(({ where }) => !ANYBODYS.has(`${operation.id} ${where}`));
}

/** Rows that belong to everybody by design: what is public, and the users of the platform. */
const ANYBODYS = new Set([
  'GET !/assets/{id} path id',
  'GET !/pass-templates/{id}/icon.png path id',
  'POST /distribution/submit body distribution_id',
  'POST :ws/members body user_id',
]);

/** @param {Operation} operation @param {string} name @returns {Place[]} */
function parameterPlace({ path, id }, name) {
  const noun = OTHERWISE[`${id} ${name}`] ?? nounOfParameter(path, name);
  if (name === 'workspaceId' || !noun) return [];
  return [
    {
      where: `path ${name}`,
      noun,
      put: (request, value) => ({ ...request, params: { ...request.params, [name]: value } }),
    },
  ];
}

/** @param {string} name @param {Schema} schema @returns {Place[]} */
function queryPlace(name, schema) {
  const noun = nounOfField(name);
  if (!noun || !namesRow(name) || schema.not) return [];
  return [
    {
      where: `query ${name}`,
      noun,
      put: (request, id) => ({ ...request, query: { ...request.query, [name]: id } }),
    },
  ];
}

/** @param {Schema | undefined} schema @param {string[]} above @returns {Place[]} */
function bodyPlaces(schema, above) {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => {
    const at = [...above, name];
    const noun = nounOfField(name);
    if (!noun || !namesRow(name) || isAnything(inner)) return bodyPlaces(inner, at);
    const isList = [inner.type].flat().includes('array');
    return [
      {
        where: `body ${at.join('.')}`,
        noun,
        put: (request, id) => ({ ...request, body: withAt(request.body, at, isList ? [id] : id) }),
      },
    ];
  });
}

/** A field that is taken and dropped: old clients send it. @param {Schema} schema */
const isAnything = (schema) =>
  ['type', 'anyOf', 'oneOf', 'const', 'enum'].every((said) => schema[said] === undefined);

/** @param {any} body @param {string[]} path @param {unknown} value @returns {any} */
function withAt(body, [first = '', ...rest], value) {
  const inner = rest.length === 0 ? value : withAt(body?.[first], rest, value);
  return { ...body, [first]: inner };
}

/** @param {object} effect @returns {object} */
const rule = (effect) => ({ effects: [effect] });
/** @param {string} filter_type @param {object} filter_config */
const filter = (filter_type, filter_config) => ({ filters: [{ filter_type, filter_config }] });

/**
 * Rows that are named inside free forms, where no schema says so.
 *
 * @type {Record<string, [string, string, (id: string) => object][]>}
 */
const NESTED = {
  'POST :ws/automations': [
    ['give_reward', 'reward', (id) => rule({ type: 'give_reward', reward_id: id })],
    ['call_webhook', 'webhook', (id) => rule({ type: 'call_webhook', webhook_id: id })],
    ['assign_tier', 'tier', (id) => rule({ type: 'assign_tier', tier_id: id })],
    ['remove_tier', 'tier', (id) => rule({ type: 'remove_tier', tier_id: id })],
    ['switch_template', 'template', (id) => rule({ type: 'switch_template', template_id: id })],
    ['segment', 'segment', (id) => ({ conditions: [{ type: 'segment', segment_id: id }] })],
    ['tier', 'tier', (id) => ({ conditions: [{ type: 'tier', tier_id: id }] })],
  ],
  'PATCH :ws/automations/{id}': [
    ['give_reward', 'reward', (id) => rule({ type: 'give_reward', reward_id: id })],
    ['segment', 'segment', (id) => ({ conditions: [{ type: 'segment', segment_id: id }] })],
  ],
  'POST :ws/segments': [
    ['tier filter', 'tier', (id) => filter('tier', { tier_ids: [id] })],
    [
      'workspace filter',
      'workspace',
      (id) => filter('client_field', { field: 'workspace_id', operator: '_eq', value: id }),
    ],
    [
      'id filter',
      'client',
      (id) => filter('client_field', { field: 'id', operator: '_eq', value: id }),
    ],
  ],
  'POST :ws/segments/preview': [
    ['tier filter', 'tier', (id) => filter('tier', { tier_ids: [id] })],
    [
      'id filter',
      'client',
      (id) => filter('client_field', { field: 'id', operator: '_eq', value: id }),
    ],
  ],
  'POST /campaigns/{id}/actions': [
    [
      'template_switch',
      'template',
      (id) => ({
        action_type: 'template_switch',
        action_config: { target_template_id: id },
      }),
    ],
    [
      'give_reward',
      'reward',
      (id) => ({
        action_type: 'give_reward',
        action_config: { reward_ids: [id] },
      }),
    ],
    [
      'assign_tier',
      'tier',
      (id) => ({
        action_type: 'assign_tier',
        action_config: { tier_id: id },
      }),
    ],
  ],
  'POST /events/batch': [
    [
      'events.pass_id',
      'pass',
      (id) => ({
        events: [
          {
            pass_id: id,
            event_category: 'transaction',
            event_type: 'purchase',
            amount: 1,
            currency: 'EUR',
          },
        ],
      }),
    ],
  ],
  'POST :ws/loyalty/points/batch': [
    [
      'operations.client_id',
      'client',
      (id) => ({
        operations: [{ type: 'earn', client_id: id, amount: 1 }],
      }),
    ],
  ],
  'POST :ws/rewards': [['image', 'file', (id) => ({ image: id })]],
  'POST :ws/image-source/preview': [['raw', 'file', (id) => ({ raw: id })]],
};

/** Parameters whose name does not say what they are. @type {Record<string, string>} */
const OTHERWISE = {
  'POST /campaigns/{id}/launch id': 'ready_campaign',
  'GET /public/loyalty/rewards/{id} id': 'offer',
  'POST /public/loyalty/rewards/{id}/redeem id': 'offer',
  'DELETE :ws/mobile-app-users/{userId}/sessions/{sessionId} sessionId': 'device_session',
  'GET /invitation/{invitationId} invitationId': '',
};

/** What is not the same in two answers to the same question. @param {string} text */
export function masked(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<moment>')
    .replace(/(till|points|Card|Tier|f|Action|Project|device)_[0-9a-f]{8}/g, '$1')
    .replace(/probe-[^"@]*@/g, 'probe@');
}
