// What every runtime must be able to do with the packed client: nothing in it belongs to one of them.
import { isLaurelError, Laurel, verifyWebhook } from '@laurel/client';
import { given } from './given.mjs';

const { baseUrl, token, workspace, client_id, idempotencyKey, delivery } = given;

/** @returns what came of it, the same in each runtime */
export async function till() {
  const laurel = new Laurel({ baseUrl, token, workspace });
  const members = [];
  for await (const { id } of laurel.clients.list({ limit: 1 })) members.push(id);

  const earn = () => laurel.points.earn({ client_id, amount: 2.5 }, { idempotencyKey });
  const entries = [await earn(), await earn()];
  const refused = await laurel.points.spend({ client_id, amount: 500 }).catch((error) => error);

  const { body, headers, secret } = delivery;
  const event = await verifyWebhook(body, headers, secret);
  const forged = await verifyWebhook(`${body} `, headers, secret).catch(({ message }) => message);
  return {
    members: new Set(members).size,
    entries: new Set(entries.map(({ id }) => id)).size,
    reason: isLaurelError(refused) && refused.reason,
    event: event.type,
    forged,
  };
}
