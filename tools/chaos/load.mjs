// The load: workers that each do one operation after the other, write down the answers, and check some of it at once.
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../lib/random.mjs';
import { nextIntent } from './intents/index.mjs';
import { Memory } from './intents/memory.mjs';

/** @typedef {import('./client.mjs').Client} Client */
/** @typedef {import('./history.mjs').History} History */
/** @typedef {import('./http.mjs').Answer} Answer */
/** @typedef {import('./intents/draw.mjs').Intent} Intent */
/** @typedef {import('./intents/draw.mjs').Situation} Situation */
/** @typedef {import('./scene.mjs').Scene} Scene */
/** @typedef {import('./scene.mjs').Workspace} Workspace */
/** @typedef {Answer & { attempts: number }} Last */

const ABANDONED_SHARE = 0.02;
const ABANDONED_AFTER_MS_MAX = 40;
const PROBE_SHARE = 0.05;
const READ_SHARE = 0.1;
/** Nothing that expires by itself is begun so late that everybody would have to wait for it at the end. */
const EXPIRY_SECONDS = 40;
/** Most of the load goes to the first workspace. */
const FIRST_SHARE = 0.85;

/**
 * @param {{ client: Client, enrolment: Client, history: History, scene: Scene, seed: number, seconds: number,
 *   workers: number, perSecond: number, ending: AbortSignal }} options `enrolment` is a
 *   client of the referrals service itself
 * @returns {Promise<void>} when every operation has its outcome
 */
export async function runLoad(options) {
  const { workers, seed, scene } = options;
  const memories = scene.workspaces.map(() => new Memory());
  /** @type {Map<string, number>} */
  const tally = new Map();
  await Promise.all(
    Array.from({ length: workers }, (_, number) =>
      work({ ...options, memories, tally }, `w${number}`, createRandom(seed, `worker ${number}`)),
    ),
  );
}

/**
 * @param {Parameters<typeof runLoad>[0] & { memories: readonly Memory[], tally: Situation['tally'] }} options `memories` are what all workers know of each
 *   workspace: what one learns another may go on with
 * @param {string} name
 * @param {import('../lib/random.mjs').Random} random
 */
async function work(options, name, random) {
  const { history, scene, memories, tally, ending, workers, perSecond, seconds } = options;
  const paceMs = (workers / perSecond) * 1_000;
  let next = history.now() + random.next() * paceMs;
  for (let sequence = 1; !ending.aborted; sequence += 1) {
    const index = random.chance(FIRST_SHARE) ? 0 : 1;
    const workspace = /** @type {Workspace} */ (scene.workspaces[index]);
    const memory = /** @type {Memory} */ (memories[index]);
    const tag = `${name}-${sequence}`;
    const mayExpire = history.now() < (seconds - EXPIRY_SECONDS) * 1_000;
    await perform(options, { random, workspace, memory, tally, tag, mayExpire });
    // A slow answer is not made up for by a burst: the next one is at least half a beat away.
    next = Math.max(next + paceMs, history.now() + paceMs / 2);
    await pause(Math.max(0, next - history.now()));
  }
}

/**
 * @param {Parameters<typeof runLoad>[0]} options
 * @param {Situation} situation
 */
async function perform(options, situation) {
  const { history } = options;
  const { random, workspace, tag } = situation;
  const intent = nextIntent(situation);
  const { kind, path, body, of } = intent;
  history.invoke({ id: tag, kind, workspace: workspace.id, path, body, of });
  const { client, url, request } = addressOf(options, situation, intent);
  if (random.chance(ABANDONED_SHARE)) {
    await client.abandon(url, request, random.int(0, ABANDONED_AFTER_MS_MAX));
    history.end(tag, { outcome: 'unknown', status: 0, attempts: 1 });
    return;
  }
  const last = await client.insist(url, request);
  const ending = endingOf(kind, last);
  history.end(tag, ending);
  learn(situation, intent, ending);
  const [entry] = ending.entries;
  if (!entry) return;
  if (random.chance(READ_SHARE)) await read(options, situation, entry.id);
  if (typeof body.amount === 'number' && random.chance(PROBE_SHARE))
    await probe(options, situation, { intent, of: entry.id });
}

/**
 * Where an intent is brought.
 *
 * @param {Parameters<typeof runLoad>[0]} options
 * @param {Situation} situation
 * @param {Intent} intent
 */
function addressOf({ client, enrolment }, { workspace, tag }, { path, body, door, ...intent }) {
  const usual = body === undefined ? /** @type {const} */ ('GET') : /** @type {const} */ ('POST');
  const method = intent.method ?? usual;
  // Another service's operations are one namespace for all workspaces.
  const request = { method, body, key: door === 'enrolment' ? `${workspace.id} ${tag}` : tag };
  if (door === 'enrolment') return { client: enrolment, url: path, request };
  if (door === 'public')
    return {
      client,
      url: path,
      request: { ...request, headers: intent.headers ?? {}, token: undefined },
    };
  return { client, url: door === 'account' ? path : workspace.path + path, request };
}

/** Remembers what later operations can refer to. @param {Situation} situation @param {Intent} intent @param {ReturnType<typeof endingOf>} ending */
function learn({ memory, workspace }, { kind, of, headers }, { entries, told }) {
  // What guests earn is theirs alone: they are counted by E2.
  if (kind !== 'visit') for (const entry of entries) memory.learn(entry);
  if (told?.redemption && kind === 'redeem') memory.add('redemptions', told.redemption.id);
  if (told?.referral_id) memory.add('referrals', told.referral_id);
  if (told?.code && of) workspace.codes.set(of, told.code);
  if (kind === 'client' && told?.id) workspace.newcomers.push(told.id);
  if (told?.operation)
    workspace.served.push({
      operation: told.operation,
      token: String(headers?.['x-mobile-token']),
    });
}

/**
 * What was acknowledged must be there for all who ask next.
 *
 * @param {Parameters<typeof runLoad>[0]} options
 * @param {Situation} situation
 * @param {string} of
 */
async function read({ client, history }, { workspace, tag }, of) {
  const id = `${tag}-read`;
  const path = `/loyalty/points/ledger/${of}`;
  history.invoke({ id, kind: 'read', workspace: workspace.id, path, body: undefined, of });
  const last = await client.insist(workspace.path + path, { method: 'GET' });
  history.end(id, endingOf('read', last));
}

/**
 * Another body under a key that was used: to be refused.
 *
 * @param {Parameters<typeof runLoad>[0]} options
 * @param {Situation} situation
 * @param {{ intent: Intent, of: string }} first and the entry that it came to
 */
async function probe(options, { workspace, tag }, { intent: { path, body }, of }) {
  const { client, history } = options;
  const id = `${tag}-probe`;
  // One point more, without what floating point adds to it.
  const more = body.amount > 0 ? 1 : -1;
  const other = { ...body, amount: Math.round((body.amount + more) * 10_000) / 10_000 };
  history.invoke({ id, kind: 'probe', workspace: workspace.id, path, body: other, of });
  const request = { method: /** @type {const} */ ('POST'), body: other, key: tag };
  const last = await client.insist(workspace.path + path, request);
  history.end(id, endingOf('probe', last));
}

/** @param {number} status @returns {import('./checker/world.mjs').Outcome} */
function outcomeOf(status) {
  if (status >= 200 && status < 300) return 'ok';
  return status >= 400 && status < 500 && status !== 429 ? 'fail' : 'unknown';
}

/** @param {string} kind @param {Last} last */
export function endingOf(kind, { status, body, attempts, operation }) {
  const outcome = outcomeOf(status);
  const code = body?.errors?.[0]?.extensions?.code;
  const data = outcome === 'ok' ? body.data : undefined;
  const results = kind === 'batch' ? data?.results.map(resultOf) : undefined;
  const entries = results
    ? []
    : [data, data?.transfer_out, data?.transfer_in, ...(data?.entries ?? [])].filter(
        (one) => one?.hash !== undefined,
      );
  const told = entries.length > 0 || results ? undefined : toldIn(data, operation);
  return { outcome, status, code, attempts, entries: entries.map(replyOf), results, told };
}

/** What a checker wants to know of an answer that is not about entries. @param {any} data @param {string | undefined} operation @returns {import('./checker/world.mjs').Answered | undefined} */
function toldIn(data, operation) {
  if (data === undefined) return undefined;
  const {
    redemption_id,
    result,
    undone,
    id = redemption_id ?? result?.id ?? undone?.[0]?.id,
    status,
    code,
    outcome,
    referral_id,
    refund_link,
  } = data;
  const redemption = data.redemption && {
    id: data.redemption.id,
    status: data.redemption.status,
    points_spent: data.redemption.points_spent,
    coupon_id: data.redemption.coupon_id,
  };
  return { id, status, code, outcome, referral_id, refund_link, redemption, operation };
}

/** @param {any} entry @returns {import('./checker/world.mjs').Reply} */
const replyOf = ({
  id,
  type,
  amount,
  balance_after,
  sequence,
  hash,
  client_wallet_id,
  created_at,
}) => ({
  id,
  type,
  amount,
  balance_after,
  sequence,
  hash,
  client_wallet_id,
  created_at,
});

/** @param {any} result */
const resultOf = ({ entry, error }) =>
  entry ? { entry: replyOf(entry) } : { error: error.extensions.code };
