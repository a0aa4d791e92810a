// The entrances that need no account, and the dearest requests that somebody could think of for each.
import { BODIES } from './hostile.mjs';
import { changed } from './mutate.mjs';
import { wireOf } from './requests.mjs';

/** @typedef {import('../lib/raw-http.mjs').Wire} Wire */
/** @typedef {import('../lib/raw-http.mjs').Answer} Answer */
/** @typedef {{ name: string, candidates: [string, Wire][] }} Entrance */
/** @typedef {{ name: string, limit: string, body: string, worst: string, ms: number, status: number }} Row */

const MIB = 1024 * 1024;
const JSON_LIMIT = '1 MiB';

/** Nearly as much as a body may have. */
const LONG = 'x'.repeat(1_000_000);
const MANY_ZEROS = Array.from({ length: 400_000 }, () => 0);
const MANY_KEYS = Object.fromEntries(
  Array.from({ length: 80_000 }, (_, index) => [`k${index}`, 0]),
);
const MANY_TEXTS = Array.from({ length: 100_000 }, () => 'aaaaaa');
const MANY_OBJECTS = Array.from({ length: 150_000 }, () => ({}));

/** @type {readonly [string, unknown][]} */
const LOADS = [
  ['a long text', LONG],
  ['many zeros', MANY_ZEROS],
  ['many keys', MANY_KEYS],
  ['many texts', MANY_TEXTS],
  ['many objects', MANY_OBJECTS],
];

/** What a field of the type is slowest with, and what is of another type. @param {import('./operations.mjs').Schema} schema */
const loadsFor = ({ type }) => ([type].flat().includes('array') ? LOADS : LOADS.slice(0, 3));

/** Pages and documents, which stand in no OpenAPI document. */
const PAGES = [
  '/health/live',
  '/health/ready',
  '/docs',
  '/docs/swagger',
  '/docs/swagger/swagger-ui-bundle.js',
  '/openapi.json',
  '/asyncapi.json',
];

/**
 * @param {readonly import('./operations.mjs').Operation[]} operations
 * @param {ReturnType<typeof import('./requests.mjs').createRequests>} requests
 * @param {import('./world.mjs').World} world
 * @returns {Promise<Entrance[]>}
 */
export async function entrancesOf(operations, requests, world) {
  const open = operations.filter(({ door }) => door === 'none');
  const { id } = await world.get('form');
  const pages = [...PAGES, `/d/${id}`, `/portal/${world.slug}`].map((page) => ({
    name: `GET ${page.replace(id, '{id}').replace(world.slug, '{slug}')}`,
    candidates: candidatesOfPath({ method: 'GET', path: page, headers: {} }),
  }));
  const preflight = {
    method: 'OPTIONS',
    path: '/service-api/embed/distribution/unknown/submit',
    headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
  };
  const entrances = [];
  for (const operation of open) {
    const request = await requests.baseOf(operation);
    const wire = wireOf(operation, request);
    const bodies = operation.changes ? candidatesOfBody(operation, request) : [];
    const candidates = [...candidatesOfPath(wire), ...bodies];
    entrances.push({ name: operation.id.replace(' !', ' '), candidates });
  }
  return [
    ...entrances,
    ...pages,
    { name: 'OPTIONS /service-api/embed/...', candidates: candidatesOfPath(preflight) },
  ];
}

/** @param {Wire} wire @returns {[string, Wire][]} */
function candidatesOfPath(wire) {
  const join = wire.path.includes('?') ? '&' : '?';
  const pairs = Array.from({ length: 2_000 }, (_, index) => `q${index}=1`).join('&');
  return [
    ['as meant', wire],
    ['a long query', { ...wire, path: `${wire.path}${join}a=${'x'.repeat(10_000)}` }],
    ['many parameters', { ...wire, path: `${wire.path}${join}${pairs}`.slice(0, 14_000) }],
  ];
}

/**
 * @param {import('./operations.mjs').Operation} operation
 * @param {import('./requests.mjs').Request} request
 * @returns {[string, Wire][]}
 */
export function candidatesOfBody(operation, request) {
  const wire = wireOf(operation, { ...request, body: request.body ?? {} });
  const json = { ...wire, headers: { ...wire.headers, 'Content-Type': 'application/json' } };
  const fields = Object.entries(operation.body?.properties ?? {});
  return [
    ...fields.flatMap(([name, schema]) =>
      loadsFor(schema).map(([what, load]) => {
        const body = changed(request.body, [name], (holder, key) => {
          holder[key] = load;
        });
        return /** @type {[string, Wire]} */ ([
          `${what} in ${name}`,
          { ...json, body: JSON.stringify(body) },
        ]);
      }),
    ),
    ['many unknown fields', { ...json, body: JSON.stringify({ ...MANY_KEYS, ...request.body }) }],
    ...BODIES.filter((body) => body.length > 1_000 && body.length < MIB).map(
      (body, index) => /** @type {[string, Wire]} */ ([`hostile body ${index}`, { ...json, body }]),
    ),
    ['2 MiB in pieces', { ...json, body: ' '.repeat(2 * MIB), chunked: true }],
  ];
}

/**
 * @param {Entrance} entrance
 * @param {(wire: Wire, dearest: number) => Promise<{ ms: number, answer: Answer }>} costOf
 * @returns {Promise<Row>}
 */
export async function costliestOf({ name, candidates }, costOf) {
  /** @type {Row} */
  const row = { name, limit: 'none', body: '-', worst: '', ms: -1, status: 0 };
  for (const [what, wire] of candidates) {
    const { ms, answer } = await costOf(wire, row.ms);
    row.limit = limitOf(answer) ?? row.limit;
    if (wire.body !== undefined) row.body = JSON_LIMIT;
    if (ms > row.ms) Object.assign(row, { ms, worst: what, status: answer.status });
  }
  return row;
}

/** `"ip";q=60;w=60` as people say it. @param {Answer} answer */
function limitOf({ headers }) {
  const policy = /"([^"]+)";q=(\d+);w=(\d+)/.exec(String(headers['ratelimit-policy'] ?? ''));
  return policy ? `${policy[2]} per ${policy[3]} s (${policy[1]})` : undefined;
}

/** A table for docs. @param {readonly Row[]} rows */
export function renderBudget(rows) {
  const lines = [...rows]
    .sort((one, other) => other.ms - one.ms)
    .map(
      ({ name, limit, body, worst, ms, status }) =>
        `| \`${name}\` | ${limit} | ${body} | ${worst} → ${status} | ${ms.toFixed(1)} |`,
    );
  return [
    '| entrance | limit | largest body | most expensive request → answer | event loop, ms |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}
