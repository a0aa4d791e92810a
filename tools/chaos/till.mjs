// The till of the staff app: staff at the counter give points for a card, into wallets that nothing else moves.
import { randomUUID } from 'node:crypto';

/** @typedef {import('./scene.mjs').Make} Make */
/** @typedef {{ action: string, token: string }} Till what it does, and as whom */

export const TILL_WALLET = 'counter';

/** @param {Make} make @param {string} path of the workspace @returns {Promise<Till>} */
export async function openTill(make, path) {
  await make(`${path}/wallet-types`, { code: TILL_WALLET, name: 'Counter' });
  await make(`${path}/mobile-app-config`, { is_enabled: true });
  const action_config = { wallet_type_codes: [TILL_WALLET] };
  const wanted = { name: 'Give points', action_type: 'add_points', action_config };
  const action = (await make(`${path}/mobile-app-config/actions`, wanted)).data.id;
  const identifier = `staff-${randomUUID()}@example.com`;
  const users = `${path}/mobile-app-users`;
  const user = (await make(users, { email: identifier })).data.id;
  const { code } = await make(`${users}/${user}/send-pairing-code`, { delivery_method: 'none' });
  const { data } = await make('/service-api/mobile-app/auth/pair', { identifier, code });
  return { action, token: data.access_token };
}
