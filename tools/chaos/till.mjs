// The till of the staff app: staff at the counter give points for a card, into wallets that nothing else moves.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOpen } from './client.mjs';
import { bodyOf } from './http.mjs';

/** @typedef {import('./scene.mjs').Make} Make */
/** @typedef {{ action: string, token: string }} Till what it does, and as whom */

export const TILL_WALLET = 'counter';
const RENEWED_AFTER_MS = 600_000;
const PAIRING = '/service-api/mobile-app/auth/pair';

/** @param {Make} make @param {string} path of the workspace @returns {Promise<Till>} */
export async function openTill(make, path) {
  await make(`${path}/wallet-types`, { code: TILL_WALLET, name: 'Counter' });
  await make(`${path}/mobile-app-config`, { is_enabled: true });
  const action_config = { wallet_type_codes: [TILL_WALLET] };
  const wanted = { name: 'Give points', action_type: 'add_points', action_config };
  const action = (await make(`${path}/mobile-app-config/actions`, wanted)).data.id;
  return { action, token: await pair(make, path) };
}

/** A device of somebody new. @param {Make} make @param {string} path @returns {Promise<string>} what it shows */
async function pair(make, path) {
  const identifier = `staff-${randomUUID()}@example.com`;
  const users = `${path}/mobile-app-users`;
  const user = (await make(users, { email: identifier })).data.id;
  const { code } = await make(`${users}/${user}/send-pairing-code`, { delivery_method: 'none' });
  const { data } = await make(PAIRING, { identifier, code });
  return data.access_token;
}

/**
 * Knows an attempt that repeats a pairing which may have been done, as an answer was lost: the code is good once, and what is
 * shown once is kept under no key. One who hears of all attempts asks it about each.
 */
export function createUsedUp() {
  /** @type {WeakSet<import('./client.mjs').Request>} */
  const open = new WeakSet();
  /** @param {Pick<import('./client.mjs').Attempt, 'path' | 'request' | 'answer'>} attempt */
  return ({ path, request, answer }) => {
    if (path !== PAIRING) return false;
    const isRepeat = open.has(request);
    if (isOpen(answer)) open.add(request);
    return isRepeat && answer.status === 401;
  };
}

/**
 * A token lives for a quarter of an hour, and a long run for longer: then another device stands at the counter.
 *
 * @param {import('./client.mjs').Client} client
 * @param {readonly import('./scene.mjs').Workspace[]} workspaces
 * @param {AbortSignal} ending
 */
export async function keepTillsOpen(client, workspaces, ending) {
  /** @type {Make} */
  const make = async (path, body) => {
    const request = { method: /** @type {const} */ ('POST'), body, key: randomUUID() };
    return bodyOf(path, await client.insist(path, request));
  };
  for (;;) {
    await pause(RENEWED_AFTER_MS, undefined, { signal: ending, ref: false }).catch(() => {});
    if (ending.aborted) return;
    for (const workspace of workspaces) {
      const { till, path } = workspace;
      // A pairing whose answer was lost is begun anew: its code is used up.
      const token = await pair(make, path).catch(() => pair(make, path));
      workspace.till = { ...till, token };
    }
  }
}
