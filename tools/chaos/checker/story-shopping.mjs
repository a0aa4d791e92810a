// What members of the small world buy and bring back, where a rule gives a point per euro.
import { points } from './fixture.mjs';
import { lotsBy, partsOf } from './story-lots.mjs';

/** @typedef {import('./fixture.mjs').Book} Book */
/** @typedef {import('./world.mjs').Wallet} Wallet */
/** @typedef {import('./world.mjs').LotRef} LotRef */
/** @typedef {import('./world.mjs').TrailEvent} TrailEvent */
/** @typedef {{ event: TrailEvent, earnId: string, lot: LotRef, wallet: Wallet }} Sale */

const WORKSPACE = 'workspace-1';

/** What the rule makes of a purchase. @param {Book} book @param {Wallet} wallet @param {string} eventId @param {number} amount */
export function earnByRule(book, wallet, eventId, amount) {
  const lot = book.nextLot(wallet);
  const units = points(amount);
  const { _id } = book.write(
    wallet,
    {
      type: 'earn',
      amount: units,
      change: /** @type {any} */ ({ active: units, earned: units }),
      lots: lotsBy([[lot, amount]], 1),
      source_type: 'transaction',
      source_id: eventId,
    },
    null,
  );
  return { lot, earnId: _id };
}

/** @param {Book} book @param {string} tag @param {string} client @param {number} amount @param {Partial<TrailEvent>} more */
function record(book, tag, client, amount, more) {
  const kind = tag.replace(/-.*/, '');
  const external_id = `${WORKSPACE} ${tag}`;
  const event = /** @type {TrailEvent} */ ({
    _id: `event-${tag}`,
    workspace_id: WORKSPACE,
    client_id: client,
    event_category: 'transaction',
    event_type: kind === 'sell' ? 'purchase' : 'refund',
    event_timestamp: book.later,
    external_id,
    metadata: {},
    amount: points(amount),
    refund_link: null,
    ...more,
  });
  book.world.trail.push(event);
  const told = { id: event._id, refund_link: event.refund_link?.state ?? null };
  book.ask({ id: tag, kind, of: client, body: { external_id, amount }, told });
  return event;
}

/** @param {Book} book @param {string} tag @param {Wallet} wallet @param {number} amount @param {string | number} order @returns {Sale} */
function sell(book, tag, wallet, amount, order) {
  const event = record(book, tag, wallet.client_id, amount, { metadata: { order_id: order } });
  return { event, wallet, ...earnByRule(book, wallet, event._id, amount) };
}

/** Gives back a part of one sale. @param {Book} book @param {string} tag @param {Sale} sale @param {number} amount @param {Partial<TrailEvent>} named */
function giveBack(book, tag, { event, wallet, earnId, lot }, amount, named) {
  const { _id, amount: paid } = event;
  const link = { state: 'linked', saleIds: [_id], names: [_id], paid: Number(paid) };
  const refund = record(book, tag, wallet.client_id, amount, { ...named, refund_link: link });
  const units = points(amount);
  book.write(
    wallet,
    {
      type: 'cancel',
      amount: -units,
      change: /** @type {any} */ ({ active: -units, earned: -units }),
      operation_id: `refund:r-${tag}:${earnId}`,
      source_type: 'refund',
      source_id: earnId,
      lots: lotsBy([[lot, amount]], -1),
      consumed: partsOf([[lot, amount]]),
    },
    null,
  );
  book.world.purchaseRefunds.push({
    _id: `refunds-${tag}`,
    workspace_id: WORKSPACE,
    source_id: `sales:${_id}`,
    ratio_total: 0,
    refunds: [
      {
        id: `r-${tag}`,
        operation_id: `event:${refund._id}`,
        external_id: null,
        done: true,
        steps: [{ entry_id: earnId, due: units }],
      },
    ],
  });
}

/** Hal and Ida both have an order 7; each brings back from their own, and once too much. @param {Book} book */
export function shop(book) {
  const [hal, ida] = [book.open('hal', 'bought'), book.open('ida', 'bought')];
  const his = sell(book, 'sell-1', hal, 80, 7);
  const hers = sell(book, 'sell-2', ida, 20, '7');
  giveBack(book, 'return-1', hers, 20, { metadata: { order_id: 7 } });
  giveBack(book, 'return-2', his, 30, { original_external_id: String(his.event.external_id) });
  const none = { saleIds: [], names: [], paid: 0 };
  record(book, 'return-3', 'ida', 5, {
    metadata: { order_id: '7' },
    refund_link: { state: 'exceeds', ...none },
  });
  record(book, 'return-4', 'ida', 5, {
    original_external_id: String(his.event.external_id),
    refund_link: { state: 'not_found', ...none },
  });
  book.world.metrics.push(
    { _id: 'hal', transaction_count: 1, total_spending: points(50) },
    { _id: 'ida', transaction_count: 1, total_spending: points(-10) },
  );
}
