// Who and how much: drawn alike for every kind of operation.

/** @typedef {import('../../lib/random.mjs').Random} Random */
/** @typedef {import('../scene.mjs').Workspace} Workspace */
/** @typedef {import('./memory.mjs').Memory} Memory */
/**
 * @typedef {{ kind: string, path: string, body: any, method?: 'PATCH' | 'DELETE', of?: string, door?: 'account' | 'public' | 'enrolment',
 *   headers?: Record<string, string> }} Intent `path` is below the workspace's; with door `account` it is the whole of it, with `public` as well, and
 *   no token is sent; with `enrolment` it is the name of an rpc
 * @typedef {{ random: Random, workspace: Workspace, memory: Memory, tally: Map<string, number>, tag: string, mayExpire: boolean }} Situation
 *   `tally` counts what all workers asked for, by kind; `mayExpire`: what runs out by itself does so before the run is looked at
 * @typedef {(situation: Situation) => Intent | undefined} Maker undefined where there is nothing to refer to yet
 */

const WALLETS = { points: 55, capped: 15, credit: 20, slow: 10 };
const HOT_SHARE = 0.3;
/** Clients that were made during the run; they are merged into others, at any moment. */
const NEWCOMER_SHARE = 0.12;

/** @param {Pick<Situation, 'random' | 'workspace'>} situation */
export function someClient({ random, workspace }) {
  if (workspace.newcomers.length > 0 && random.chance(NEWCOMER_SHARE))
    return random.pick(workspace.newcomers);
  return someResident({ random, workspace });
}

/** One that no merge takes away. @param {Pick<Situation, 'random' | 'workspace'>} situation */
export function someResident({ random, workspace }) {
  return random.pick(random.chance(HOT_SHARE) ? workspace.hot : workspace.clients);
}

/** Whole points mostly, down to the fourth decimal at times. @param {Random} random @param {number} max */
export function someAmount(random, max) {
  return random.chance(0.7) ? random.int(1, max) : random.int(1, max * 10_000) / 10_000;
}

/** @param {Situation} situation @param {number} max */
export function movement({ random, tag, workspace }, max) {
  return {
    client_id: someClient({ random, workspace }),
    amount: someAmount(random, max),
    wallet_type_code: random.weighted(WALLETS),
    metadata: { op: tag },
  };
}
