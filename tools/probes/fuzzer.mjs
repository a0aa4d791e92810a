// Sends spoilt requests to every operation, and keeps what no answer may be.

import { createClient } from '../lib/public-client.mjs';
import { createRandom } from '../lib/random.mjs';
import { spoil, sweepOf } from './mutate.mjs';
import { nounOfParameter } from './nouns.mjs';
import { complaintAbout, SLOW_MS } from './oracle.mjs';
import { createRequests, credentialOf, wireOf } from './requests.mjs';
import { createWorld } from './world.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('../lib/raw-http.mjs').Wire} Wire */
/** @typedef {import('../lib/raw-http.mjs').Answer} Answer */
/**
 * @typedef {object} Finding
 * @property {string} operation
 * @property {string} what was spoilt
 * @property {string} problem
 * @property {{ method: string, path: string, headers: Record<string, string>, body?: string }} request
 * @property {string} answer
 */

/** Often enough to tell a slow answer from a busy machine. */
const SLOW_ATTEMPTS = 3;
/** What takes next to no time tells how busy the machine is; a request may take so many times as long. */
const NEXT_TO_NOTHING = { method: 'GET', path: '/health/live', headers: {} };
const BUSY_FACTOR = 40;
const READS_MAX = 8;
const KEPT = 400;

/**
 * @param {object} given
 * @param {import('../lib/raw-http.mjs').Http} given.http
 * @param {string} given.outside
 * @param {readonly Operation[]} given.operations
 * @param {number} given.seed
 * @param {(finding: Finding) => void} [given.onFinding]
 */
export async function createFuzzer({ http, outside, operations, seed, onFinding = () => {} }) {
  const client = createClient(http, outside);
  const common = await stageFor(await createWorld(client));
  /** @type {Finding[]} */
  const findings = [];
  /** @type {Record<number, number>} */
  const statuses = {};
  const counts = { requests: 0, accepted: 0, operations: 0, withBase: 0, slowestMs: 0 };

  /** @param {Finding} finding */
  function keep(finding) {
    findings.push(finding);
    onFinding(finding);
  }

  /** @param {Wire} wire */
  async function send(wire) {
    const answer = await http.send(wire);
    counts.requests += 1;
    counts.slowestMs = Math.max(counts.slowestMs, answer.ms);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return answer;
  }

  /**
   * Slow once may be the machine; slow each time is the request.
   *
   * @param {Operation} operation
   * @param {string} what
   * @param {Wire} wire
   */
  async function judge(operation, what, wire) {
    const answer = await send(wire);
    for (let again = 1; answer.ms > SLOW_MS && again < SLOW_ATTEMPTS; again += 1) {
      const idle = await send(NEXT_TO_NOTHING);
      // Only the time of the repeat counts: what was deleted the first time is not there the second time.
      const { ms } = await send(wire);
      answer.ms = ms < idle.ms * BUSY_FACTOR ? Math.min(ms, SLOW_MS) : ms;
    }
    const problem = complaintAbout(operation.id, wire, answer);
    if (problem) keep(findingOf(operation, what, wire, answer, problem));
    return answer;
  }

  /**
   * What was taken must be readable: poison shows when it is read.
   *
   * @param {Stage} stage
   * @param {Operation} operation
   * @param {import('./requests.mjs').Request} request
   * @param {Answer} answer
   * @param {string} what
   */
  async function readBack(stage, operation, request, answer, what) {
    for (const { read, params } of readsAfter(operations, operation, request, answer)) {
      const valid = await stage.validRequest(read);
      const wire = wireOf(read, { ...valid, params: { ...valid.params, ...params } });
      await judge(read, `after ${operation.id} with ${what}`, wire);
    }
  }

  /** An operation that no request can be made for is a finding, not the end. @param {Operation} operation @param {number} inputs */
  async function fuzz(operation, inputs) {
    try {
      await fuzzOne(operation, inputs);
    } catch (error) {
      const { id, method, path } = operation;
      const problem = `could not be prepared: ${/** @type {Error} */ (error).message}`;
      keep({
        operation: id,
        what: 'nothing',
        problem,
        request: { method, path, headers: {} },
        answer: '',
      });
    }
  }

  /** What writes has a workspace of its own: nothing else changes there. @param {Operation} operation @param {number} inputs */
  async function fuzzOne(operation, inputs) {
    const random = createRandom(seed, operation.id);
    const { owner, admin } = common.world;
    const stage = operation.changes
      ? await stageFor(await createWorld(client, { owner, admin }))
      : common;
    counts.operations += 1;
    const first = await judge(
      operation,
      'nothing',
      wireOf(operation, await stage.validRequest(operation)),
    );
    if (first.status < 400) counts.withBase += 1;
    if (operation.changes) stage.usedUp(operation);
    const sweep = sweepOf(operation, await stage.validRequest(operation), random);
    let seen = await stateOf(stage, operation);
    for (let done = 0; done < inputs; done += 1) {
      const request = await stage.validRequest(operation);
      const sure = done % 2 === 0 ? sweep.shift() : undefined;
      const { what, wire } = sure?.(request) ?? spoil(operation, request, random);
      const answer = await judge(operation, what, wire);
      if (!operation.changes) continue;
      if (isRefusal(answer)) {
        const now = await stateOf(stage, operation);
        if (now !== seen)
          keep(findingOf(operation, what, wire, answer, `changed ${difference(seen, now)}`));
        seen = now;
        continue;
      }
      counts.accepted += 1;
      await readBack(stage, operation, request, answer, what);
      stage.usedUp(operation);
      seen = await stateOf(stage, operation);
    }
  }

  /** What shows the row or the list that an operation changes. @param {Stage} stage @param {Operation} operation */
  async function stateOf(stage, operation) {
    const place = operation.path.replace(/\/[a-z-]+$/, '');
    const reads = operations.filter(
      ({ changes, path }) => !changes && (path === operation.path || path === place),
    );
    if (!operation.changes || UNSETTLED.test(operation.path)) return '';
    const request = await stage.validRequest(operation);
    const texts = reads.map(async (read) => {
      const valid = await stage.validRequest(read);
      const { status, text } = await send(wireOf(read, { ...valid, params: request.params }));
      return `${status} ${text.replace(SEEN, '')}`;
    });
    return (await Promise.all(texts)).join('\n');
  }

  return { fuzz, findings, counts, statuses };
}

/** What goes on by itself after it was asked for: its state changes without further requests. The owner's workspaces are made by all operations. */
const UNSETTLED =
  /(^|\/)workspaces$|import|backtest|deliver|launch|execute|user|auth|tiers|coupon|devices|mobile-app-users/;

/** When somebody was last seen, for who asks is seen, and what a clock shows. */
const SEEN = /"(?:last_active|last_login|now)":"[^"]*"/g;

/** @param {Answer} answer */
const isRefusal = ({ status }) => status >= 400 && status < 500;

/** @param {string} before @param {string} after */
function difference(before, after) {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  const from = Math.max(0, at - 40);
  return `${before.slice(from, at + 80)} to ${after.slice(from, at + 80)}`;
}

/**
 * Valid requests in one workspace, as those who may send them.
 *
 * @param {import('./world.mjs').World} world
 */
async function stageFor(world) {
  const { baseOf, usedUp } = createRequests(world);
  const credentials = {
    bearer: world.admin,
    mobile: async () => (await world.get('device')).token,
    portal: () => world.get('portal_token'),
  };
  /** @param {Operation} operation */
  async function validRequest(operation) {
    const base = await baseOf(operation);
    const credential = await credentialOf(operation, credentials);
    return { ...base, headers: { ...credential, ...base.headers } };
  }
  return { world, validRequest, usedUp };
}

/** @typedef {Awaited<ReturnType<typeof stageFor>>} Stage */

/**
 * @param {readonly Operation[]} operations
 * @param {Operation} operation
 * @param {import('./requests.mjs').Request} request
 * @param {Answer} answer
 * @returns {{ read: Operation, params: Record<string, string> }[]}
 */
function readsAfter(operations, operation, request, answer) {
  const created = /"data":\{"id":"([0-9a-f-]{36})"/.exec(answer.text)?.[1];
  const named = operation.params.find(({ name }) => name !== 'workspaceId');
  const noun = named
    ? nounOfParameter(operation.path, named.name)
    : nounOfParameter(`${operation.path}/{id}`, 'id');
  const id = named ? request.params[named.name] : created;
  if (!noun || !id || operation.method === 'DELETE') return [];
  return operations
    .filter(({ changes, path }) => !changes && !path.includes('/public/'))
    .flatMap((read) => {
      const own = read.params.filter(({ name }) => name !== 'workspaceId');
      const [parameter] = own;
      return own.length === 1 && parameter && nounOfParameter(read.path, parameter.name) === noun
        ? [{ read, params: { [parameter.name]: id } }]
        : [];
    })
    .slice(0, READS_MAX);
}

/** @param {Operation} operation @param {string} what @param {Wire} wire @param {Answer} answer @param {string} problem @returns {Finding} */
function findingOf({ id }, what, { method, path, headers, body }, answer, problem) {
  const secret = /^(authorization|x-mobile-token|x-client-token)$/i;
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secret.test(name) ? `${value.slice(0, 12)}...` : value.slice(0, KEPT),
  ]);
  return {
    operation: id,
    what,
    problem,
    request: {
      method,
      path: path.slice(0, KEPT),
      headers: Object.fromEntries(shown),
      ...(body === undefined ? {} : { body: body.toString().slice(0, KEPT) }),
    },
    answer: `${answer.status} ${answer.text.slice(0, KEPT)}`,
  };
}
