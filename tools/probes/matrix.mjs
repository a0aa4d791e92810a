// Sends every operation as everybody who might, and says which answers are not the expected ones.
import { randomUUID } from 'node:crypto';
import { createClient } from '../lib/public-client.mjs';
import { castOf, OPENED } from './cast.mjs';
import { masked, placesOf } from './foreign.mjs';
import { createRequests, credentialOf, wireOf } from './requests.mjs';
import { createWorld } from './world.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('../lib/raw-http.mjs').Answer} Answer */
/** @typedef {{ operation: string, case: string, where?: string, problem: string | null }} Finding */

export const CASES = /** @type {const} */ ([
  'no credential',
  'wrong kind',
  'stranger',
  'member',
  'scope missing',
  'bound elsewhere',
  'admin',
  'foreign in path',
  'foreign in body',
]);
const AT_ONCE = 8;
const ATTEMPTS = 4;

/** Refused before anything was looked at. @param {Answer} answer */
const isTurnedAway = ({ status }) => status === 401 || status === 403;
/** @param {Answer} answer */
const isSuccess = ({ status }) => status >= 200 && status < 400;

/** Operations for which no request succeeds here, or not each time, and how the best one is answered. @type {Record<string, number>} */
const AT_BEST = {
  'GET /embed/distribution/{token}/submit': 405,
  'POST !/auth/password/reset': 400,
  'POST !/auth/verify-email': 400,
  'POST !/google/v1/callbacks': 401,
  'POST /auth/sso': 503,
  'POST /passes/{id}/restore': 409,
  'POST /public/enrollment/confirm': 400,
  'POST /public/loyalty/login/verify': 404,
  // Other cases make rules meanwhile, and it wants to hear of all.
  'POST :ws/automations/reorder': 400,
  'POST :ws/client-import-jobs/{jobId}/cancel': 409,
  'POST :ws/integrations/{provider}/import-jobs/{jobId}/cancel': 409,
  'POST :ws/pushes/{pushId}/retry': 404,
  'PUT :ws/passes/wallet-credentials/apple': 400,
  'PUT :ws/passes/wallet-credentials/google': 400,
};

/**
 * @param {{ http: import('../lib/raw-http.mjs').Http, outside: string, operations: Operation[], expected: Record<string, string>, scopes: Record<string, string> }} given
 */
export async function createMatrix({ http, outside, operations, expected, scopes }) {
  const client = createClient(http, outside);
  const [a, b] = await Promise.all([createWorld(client), createWorld(client)]);
  const credentials = await castOf(a, b, client);
  const requests = createRequests(a);
  const requestsOfB = createRequests(b);

  /**
   * @param {Operation} operation
   * @param {import('./requests.mjs').Request} request
   * @param {Record<string, string>} credential
   */
  const send = (operation, request, credential) =>
    http.send(wireOf(operation, { ...request, headers: { ...credential, ...request.headers } }));

  /** As the callers that it is for, in their own workspace. @param {Operation} operation */
  const asAdmin = (operation) => credentialOf(operation, credentials.admin);

  /** The same with no more than it takes: the token of the scope that is wanted, where there is one. @param {Operation} operation */
  const asEntitled = async (operation) => {
    const token = credentials.tokens[scopes[operation.id] ?? ''];
    return token ? { Authorization: `Bearer ${await token()}` } : asAdmin(operation);
  };

  /** @param {Operation} operation @returns {Promise<Finding[]>} */
  async function check(operation) {
    const who = expected[operation.id] ?? 'nobody has said';
    /** @type {Finding[]} */
    const findings = [];
    /** @param {Finding['case']} name @param {string | null} problem @param {string} [where] */
    const note = (name, problem, where) =>
      findings.push({ operation: operation.id, case: name, problem, ...(where ? { where } : {}) });

    const base = await requests.baseOf(operation);
    const bare = { ...base, headers: withoutCredential(base.headers) };
    if (!who.startsWith('open')) {
      const answer = await send(operation, bare, {});
      note('no credential', isTurnedAway(answer) ? null : told(answer));
      for (const [kind, credential] of await credentials.wrong(operation, who)) {
        const wrong = await send(operation, bare, credential);
        note('wrong kind', isTurnedAway(wrong) ? null : told(wrong), kind);
      }
    }
    if (who.startsWith('member') || who === 'creator') {
      const credential = { Authorization: `Bearer ${await credentials.stranger()}` };
      const answer = await send(operation, bare, credential);
      const isRefused = who.includes('of the row') ? answer.status === 404 : answer.status === 403;
      note('stranger', isRefused ? null : told(answer));
    }
    if (operation.door === 'bearer') await checkScopes(operation, bare, { who, note });
    await checkForeign(operation, base, note);
    if (who.startsWith('member') || who === 'creator') {
      await credentials.admitMember(base.params.workspaceId);
      const credential = { Authorization: `Bearer ${await credentials.member()}` };
      const answer = await send(operation, bare, credential);
      const mayNot = who.includes(' with ') || who === 'creator';
      const isRight = mayNot ? answer.status === 403 : succeeded(operation, answer);
      note('member', isRight ? null : told(answer));
      if (isSuccess(answer) && operation.changes) requests.usedUp(operation);
    }
    const last = await requests.baseOf(operation);
    const answer = await send(operation, last, await asEntitled(operation));
    note('admin', succeeded(operation, answer) ? null : told(answer));
    if (operation.changes) requests.usedUp(operation);
    return findings;
  }

  /**
   * Each named token that is not for this hears that, whatever else is wrong; one that is bound to another workspace is a
   * stranger here. Those that are for it come in: the last case is sent with the least that it takes.
   *
   * @param {Operation} operation
   * @param {import('./requests.mjs').Request} request
   * @param {{ who: string, note: (name: Finding['case'], problem: string | null, where?: string) => void }} given
   */
  async function checkScopes(operation, request, { who, note }) {
    const wanted = scopes[operation.id] ?? 'nobody has said';
    for (const [scope, token] of Object.entries(credentials.tokens)) {
      if (OPENED[scope]?.includes(wanted)) continue;
      const answer = await send(operation, request, { Authorization: `Bearer ${await token()}` });
      const why = wanted === 'account' ? 'no named token' : `with the scope ${wanted}`;
      const isTold = answer.status === 403 && answer.text.includes(why);
      note('scope missing', isTold ? null : told(answer), scope);
    }
    if (wanted === 'account' || (who === 'user' && wanted === 'read')) return;
    const credential = { Authorization: `Bearer ${await credentials.boundElsewhere()}` };
    const answer = await send(operation, request, credential);
    const isRefused = answer.status === (who.includes('of the row') ? 404 : 403);
    note('bound elsewhere', isRefused ? null : told(answer));
  }

  /**
   * A row of somebody else is answered as one that does not exist, to the letter.
   *
   * @param {Operation} operation
   * @param {import('./requests.mjs').Request} base
   * @param {(name: string, problem: string | null, where?: string) => void} note
   */
  async function checkForeign(operation, base, note) {
    for (const { where, noun, put } of placesOf(operation)) {
      const name = where.startsWith('path') ? 'foreign in path' : 'foreign in body';
      const foreignId = noun === 'workspace' ? b.id : await b.get(noun);
      const ask = async (/** @type {string} */ id) =>
        send(operation, put(base, id), await asAdmin(operation));
      note(
        name,
        await difference(
          operation,
          () => ask(foreignId),
          () => ask(randomUUID()),
        ),
        where,
      );
    }
  }

  /**
   * Others write to the same workspace meanwhile: what differs once is asked again.
   *
   * @param {Operation} operation
   * @param {() => Promise<Answer>} askForeign
   * @param {() => Promise<Answer>} askRandom
   */
  async function difference(operation, askForeign, askRandom) {
    let problem = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [foreign, random] = [await askForeign(), await askRandom()];
      const isTaken = isSuccess(foreign) && operation.changes && !DROPPED.has(operation.id);
      const isSame =
        foreign.status === random.status && masked(foreign.text) === masked(random.text);
      if (isSame && !isTaken) return null;
      problem = `${told(foreign)} <> ${told(random)}`;
    }
    return problem;
  }

  /** All that the owner of B can read of it. */
  async function digestOfB() {
    const reads = operations.filter((each) => isReadOf(each, expected[each.id] ?? ''));
    /** @type {Record<string, string>} */
    const digest = {};
    await inParallel(reads, async (operation) => {
      const credential = await credentialOf(operation, credentials.ownerOfB);
      const request = await requestsOfB.baseOf(operation);
      const { status, text } = await send(operation, request, credential);
      // Looking at it is seen, too, and a clock goes on.
      const still = text.replace(
        /"(last_active|last_seen|last_login|now)(_at)?":"[^"]*"/g,
        '"$1":"<moment>"',
      );
      // The rows of a file are promised in no order.
      const rows = still.split('\n').toSorted();
      digest[operation.id] = `${status} ${rows.join('\n')}`;
    });
    return digest;
  }

  /** Makes in B what is asked for below, so that making it does not look like a change. */
  function furnish() {
    const nouns = new Set(operations.flatMap(placesOf).map(({ noun }) => noun));
    return inParallel(
      [...nouns].filter((noun) => noun !== 'workspace' && noun !== 'checkpoint'),
      (noun) => b.get(noun),
    );
  }

  return { a, b, check, digestOfB, furnish };
}

/** Rows that are not there are left out, or named one by one: the answer is a success all the same. */
const DROPPED = new Set([
  'POST /events/aggregate',
  'POST /events/batch',
  'DELETE /events/batch',
  'POST :ws/audience-reachability',
  'POST :ws/automations/simulate',
  'POST :ws/image-source/preview',
  'POST :ws/loyalty/points/batch',
  'POST :ws/segments',
  'POST :ws/segments/preview',
  'POST :ws/tiers/recalculate',
]);

/** @param {Operation} operation @param {Answer} answer */
const succeeded = ({ id }, answer) => isSuccess(answer) || answer.status === AT_BEST[id];

/** @param {Operation} operation @param {string} who */
const isReadOf = ({ changes, path }, who) =>
  !changes &&
  /^(member|customer|staff)/.test(who) &&
  // Made anew every minute, or with every look, without anybody's doing.
  !/checkpoints|preview|wallet-status|stream/.test(path);

/** @param {Answer} answer */
const told = ({ status, text, failure }) => `${failure ?? status} ${text.slice(0, 160)}`;

/** @param {Record<string, string>} headers */
function withoutCredential(headers) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|x-client-token)$/i.test(name)),
  );
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<unknown>} work
 */
export async function inParallel(items, work) {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
