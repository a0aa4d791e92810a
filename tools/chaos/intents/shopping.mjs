// Sales and what is brought back, at tills that count their orders from 1: other people's orders have the same numbers.

/** @typedef {import('./draw.mjs').Maker} Maker */
/** @typedef {import('../scene.mjs').Sold} Sold */

const ORDERS = 4;
const CENTS_MAX = 5_000;
/** So that memory does not grow with the run. */
const REMEMBERED = 200;
/** A sale is named by its order's number, by its own name, or by one that is another's or free. */
const NAMED = { order: 5, own: 4, foreign: 1, unknown: 1 };
/** The rest brings back a part, which at times is more than what is left. */
const WHOLE_SHARE = 0.4;

/** Numbers and their text are the same name. @param {import('../../lib/random.mjs').Random} random */
function someOrder(random) {
  const number = random.int(1, ORDERS);
  return { order_id: random.chance(0.5) ? number : String(number) };
}

/** @param {import('./draw.mjs').Situation} situation @param {string} passId @param {number} cents */
const transaction = ({ workspace, tag }, passId, cents) => ({
  pass_id: passId,
  event_category: 'transaction',
  amount: cents / 100,
  currency: 'EUR',
  external_id: `${workspace.id} ${tag}`,
});

/** @type {Record<string, Maker>} */
export const SHOPPING = {
  spin: ({ random, workspace, tag }) => {
    const of = random.pick(workspace.clients);
    const body = { client_id: of, event_type: 'spin', metadata: { op: tag } };
    return { kind: 'spin', path: '/custom-events', body, of };
  },
  sell: (situation) => {
    const { random, workspace } = situation;
    if (workspace.shoppers.length === 0) return undefined;
    const { passId, clientId } = random.pick(workspace.shoppers);
    const cents = random.int(1, CENTS_MAX);
    const body = {
      ...transaction(situation, passId, cents),
      event_type: 'purchase',
      metadata: someOrder(random),
    };
    workspace.sold.push({ clientId, externalId: body.external_id, cents });
    if (workspace.sold.length > REMEMBERED) workspace.sold.shift();
    return { kind: 'sell', path: '/service-api/events', body, of: clientId, door: 'account' };
  },
  return: (situation) => {
    const { random, workspace } = situation;
    if (workspace.sold.length === 0) return undefined;
    const { passId, clientId } = random.pick(workspace.shoppers);
    const named = random.weighted(NAMED);
    const isTheirs = (/** @type {Sold} */ sale) =>
      (sale.clientId === clientId) === (named === 'own');
    const sales = workspace.sold.filter(isTheirs);
    const sale = sales.length > 0 ? random.pick(sales) : undefined;
    const cents = sale && random.chance(WHOLE_SHARE) ? sale.cents : random.int(1, CENTS_MAX);
    const isByName = named === 'own' || named === 'foreign';
    if (isByName && !sale) return undefined;
    const name = {
      order: { metadata: someOrder(random) },
      own: { original_external_id: sale?.externalId },
      foreign: { original_external_id: sale?.externalId },
      unknown: { original_external_id: `nobody's ${situation.tag}` },
    }[named];
    const body = {
      ...transaction(situation, passId, cents),
      event_type: 'refund',
      ...name,
    };
    return { kind: 'return', path: '/service-api/events', body, of: clientId, door: 'account' };
  },
};
