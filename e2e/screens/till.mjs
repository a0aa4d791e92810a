// The till of the shop on the screens, and who stands at it.
import { randomUUID } from 'node:crypto';

/** A till with two actions, and a person to stand at it. @param {import('@laurel/client').Laurel} laurel */
export async function makeTill(laurel) {
  await laurel.staffAppConfig.create({ is_enabled: true });
  const action = await laurel.staffAppConfig.createAction({
    name: 'Purchase',
    action_type: 'add_transaction',
    form_fields: [{ name: 'amount', label: 'Amount', type: 'number', required: true }],
  });
  const app = await laurel.staffAppConfig.get();
  const others = (app?.actions ?? []).filter(({ id }) => id !== action.id);
  const action_ids = [action.id, ...others.map(({ id }) => id)];
  await laurel.staffAppConfig.reorderActions({ action_ids });
  const email = `lisa-${randomUUID().slice(0, 8)}@example.com`;
  const user = await laurel.staffUsers.create({ email, first_name: 'Lisa' });
  return { id: user.id, email };
}

/**
 * What a till is paired with, once.
 *
 * @param {import('@laurel/client').Laurel} laurel
 * @param {import('./shop.mjs').Shop} shop
 * @returns {Promise<string>} six digits
 */
export async function pairingCode(laurel, { staff }) {
  const sent = await laurel.staffUsers.sendPairingCode(staff.id, { delivery_method: 'none' });
  return sent.code ?? '';
}
