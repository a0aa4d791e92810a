// What happens in the small world: every kind of entry once, as a client would bring it about.
import { Book, lotsLeft, points } from './fixture.mjs';
import { tellOthers, write } from './story-doors.mjs';
import { receiveGuests } from './story-guests.mjs';
import { lotsBy, partsOf, sumOf } from './story-lots.mjs';
import { bring, climb, merge, redeem } from './story-people.mjs';
import { shop } from './story-shopping.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Wallet} Wallet */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').LotRef} LotRef */
/** @typedef {import('./story-lots.mjs').Takes} Takes */

/** @param {Book} book @param {Wallet} wallet @param {string} tag @param {number} amount @param {{ days?: number, parts?: Partial<Entry>, inLot?: number }} [more] */
function earn(book, wallet, tag, amount, { days, parts = {}, inLot = amount } = {}) {
  const lot = book.nextLot(wallet, days);
  const units = points(amount);
  const lots = inLot > 0 ? lotsBy([[lot, inLot]], 1) : [];
  const change = { active: units, earned: units };
  const entry = book.write(
    wallet,
    /** @type {Partial<Entry>} */ ({ type: 'earn', amount: units, change, lots, ...parts }),
    tag,
  );
  book.ask({ id: tag, kind: 'earn', body: { client_id: wallet.client_id, amount } }, entry);
  return { lot, entry };
}

/** @param {Book} book @param {Wallet} wallet @param {string} tag @param {number} amount @param {Takes} takes */
function spend(book, wallet, tag, amount, takes) {
  const change = { active: -points(amount), spent: points(amount) };
  const taken = { lots: lotsBy(takes, -1), consumed: partsOf(takes) };
  const entry = book.write(
    wallet,
    /** @type {Partial<Entry>} */ ({ type: 'spend', amount: -points(amount), change, ...taken }),
    tag,
  );
  book.ask({ id: tag, kind: 'spend', body: { client_id: wallet.client_id, amount } }, entry);
  return entry;
}

/** A hold of which part is captured; the rest goes back. @param {Book} book @param {Wallet} wallet @param {LotRef} lot */
function holdAndCapture(book, wallet, lot) {
  const takes = /** @type {Takes} */ ([[lot, 20]]);
  const hold = { expires_at: book.world.at.getTime() + 60_000, outcome: 'expired' };
  const id = book.nextLot(wallet).id;
  const change = { active: -points(20), locked: points(20) };
  const lock = book.write(
    wallet,
    {
      type: 'lock',
      amount: -points(20),
      change: /** @type {any} */ (change),
      first_status: 'locked',
      lots: lotsBy(takes, -1),
      consumed: partsOf(takes),
      holds: [{ id, amount: points(20), parts: partsOf(takes), ...hold }],
    },
    'lock-1',
  );
  book.ask({ id: 'lock-1', kind: 'lock', body: { client_id: wallet.client_id, amount: 20 } }, lock);
  const capture = book.write(
    wallet,
    {
      type: 'spend',
      amount: -points(15),
      change: /** @type {any} */ ({ locked: -points(15), spent: points(15) }),
      source_type: 'capture',
      source_id: id,
      consumed: partsOf([[lot, 15]]),
      holds: [{ id, amount: points(5), parts: partsOf([[lot, 5]]), ...hold }],
      marks: [{ entry_id: id, status: 'active' }],
    },
    null,
  );
  book.ask({ id: 'capture-1', kind: 'capture', of: id, body: { amount: 15 } }, capture);
  const release = book.write(
    wallet,
    {
      type: 'unlock',
      amount: points(5),
      change: /** @type {any} */ ({ locked: -points(5), active: points(5) }),
      source_type: 'release',
      source_id: id,
      lots: lotsBy([[lot, 5]], 1),
      holds: [{ id, amount: 0, parts: [], ...hold }],
      marks: [{ entry_id: id, status: 'cancelled' }],
    },
    null,
  );
  lock.status = 'cancelled';
  book.ask({ id: 'release-1', kind: 'release', of: id }, release);
}

/** @param {Book} book @param {Wallet} from @param {Wallet} to @param {Takes} takes */
function transfer(book, from, to, takes) {
  const units = points(sumOf(takes));
  const out = book.nextLot(from);
  const inId = `entry-${Number(out.id.slice(6)) + 1}`;
  const common = { source_type: 'transfer' };
  const outEntry = book.write(
    from,
    {
      ...common,
      type: 'transfer_out',
      amount: -units,
      change: /** @type {any} */ ({ active: -units, moved: -units }),
      lots: lotsBy(takes, -1),
      consumed: partsOf(takes),
      counterpart: { client_id: to.client_id, wallet_id: to._id, entry_id: inId },
    },
    'transfer-1',
  );
  const place = book.nextLot(to);
  const inEntry = book.write(
    to,
    {
      ...common,
      type: 'transfer_in',
      amount: units,
      change: /** @type {any} */ ({ active: units, moved: units }),
      lots: takes.map(([{ expires_at }, amount], index) => ({
        ...place,
        id: `${inId}.000${index}`,
        expires_at,
        by: points(amount),
        matures_at: null,
      })),
      counterpart: { client_id: from.client_id, wallet_id: from._id, entry_id: out.id },
    },
    'transfer-1',
  );
  const body = { from_client_id: from.client_id, to_client_id: to.client_id, amount: sumOf(takes) };
  book.ask({ id: 'transfer-1', kind: 'transfer', body }, outEntry, inEntry);
}

/** A spend is cancelled, and half of what a purchase earned is taken back. @param {Book} book @param {Wallet} wallet @param {Entry} spent @param {LotRef} lot */
function reverse(book, wallet, spent, lot) {
  const cancel = book.write(
    wallet,
    {
      type: 'cancel',
      amount: -spent.amount,
      change: /** @type {any} */ ({ active: -spent.amount, spent: spent.amount }),
      source_type: 'cancel',
      source_id: spent._id,
      claim: `cancel:${spent._id}`,
      note: { salt: 'cd'.repeat(16), description: 'cancel-1', metadata: {} },
      lots: lotsBy([[lot, -spent.amount / 10_000]], 1),
      marks: [{ entry_id: spent._id, status: 'cancelled' }],
    },
    null,
  );
  spent.status = 'cancelled';
  book.ask({ id: 'cancel-1', kind: 'cancel', of: spent._id, body: { reason: 'cancel-1' } }, cancel);
  const purchase = { source_type: 'transaction', source_id: 'order-1' };
  const bought = earn(book, wallet, 'earn-order', 40, { parts: purchase });
  const back = book.write(
    wallet,
    {
      type: 'cancel',
      amount: -points(20),
      change: /** @type {any} */ ({ active: -points(20), earned: -points(20) }),
      source_type: 'refund',
      source_id: bought.entry._id,
      lots: lotsBy([[bought.lot, 20]], -1),
      consumed: partsOf([[bought.lot, 20]]),
    },
    null,
  );
  book.ask({ id: 'refund-1', kind: 'refund', body: { source_id: 'order-1', ratio: 0.5 } }, back);
  const steps = [{ entry_id: bought.entry._id, due: points(20) }];
  book.world.purchaseRefunds.push({
    _id: 'refunds-1',
    workspace_id: 'workspace-1',
    source_id: 'order-1',
    ratio_total: 5e11,
    refunds: [
      { id: 'r-1', operation_id: 'op:refund-1', external_id: 'refund-1', done: true, steps },
    ],
  });
}

/** Points that wait, and points that run out. @param {Book} book @param {Wallet} wallet */
function waitAndExpire(book, wallet) {
  const lot = { ...book.nextLot(wallet), expires_at: book.nextLot(wallet).made_at + 1_500 };
  const matures = lot.made_at + 500;
  const units = points(30);
  const pending = earn(book, wallet, 'earn-slow', 30, {
    parts: {
      first_status: 'pending',
      change: /** @type {any} */ ({ pending: units, earned: units }),
      lots: [{ ...lot, by: units, matures_at: matures }],
    },
  }).entry;
  book.write(
    wallet,
    {
      type: 'unlock',
      amount: units,
      change: /** @type {any} */ ({ pending: -units, active: units }),
      source_type: 'maturation',
      source_id: lot.id,
      lots: [{ ...lot, by: 0, matures_at: null }],
      marks: [{ entry_id: lot.id, status: 'active' }],
    },
    null,
  );
  book.write(
    wallet,
    {
      type: 'expire',
      amount: -units,
      change: /** @type {any} */ ({ active: -units, expired: units }),
      source_type: 'expiry',
      source_id: lot.id,
      lots: lotsBy([[lot, 30]], -1),
      consumed: partsOf([[lot, 30]]),
      marks: [{ entry_id: lot.id, status: 'expired' }],
    },
    null,
  );
  pending.status = 'expired';
}

/** @returns {World} */
export function smallWorld() {
  const book = new Book();
  const [ada, ben] = [book.open('ada', 'points'), book.open('ben', 'points')];
  const { lot: first } = earn(book, ada, 'earn-1', 100, { days: 365 });
  const { lot: second } = earn(book, ada, 'earn-2', 50, {
    days: 365,
    parts: { external_id: 'x-1' },
  });
  const spent = spend(book, ada, 'spend-1', 30, [[first, 30]]);
  holdAndCapture(book, ada, first);
  transfer(book, ada, ben, [
    [first, 55],
    [second, 5],
  ]);
  reverse(book, ada, spent, first);
  waitAndExpire(book, ben);

  const capped = book.open('ada', 'capped');
  const note = { salt: 'ef'.repeat(16), description: null };
  const asked = { ...note, metadata: { op: 'earn-capped', requested_amount: 600 } };
  earn(book, capped, 'earn-capped', 500, { parts: { note: asked } });
  /** @type {any} */ (book.world.history.at(-1)).body.amount = 600;

  const credit = book.open('cleo', 'credit');
  const { lot } = earn(book, credit, 'earn-3', 10);
  spend(book, credit, 'spend-2', 25, [[lot, 10]]);
  earn(book, credit, 'earn-4', 20, { inLot: 5 });

  const gwen = book.open('gwen', 'points');
  redeem(book, gwen, earn(book, gwen, 'earn-5', 70).lot);
  const dora = book.open('dora', 'points');
  merge(book, dora, ada, earn(book, dora, 'earn-6', 30).lot);
  bring(book);
  shop(book);
  climb(book);
  receiveGuests(book);
  write(book);
  return finish(book);
}

/** What is not about points: clients, reads, probes, and the wallets' own lists of lots. @param {Book} book */
function finish(book) {
  const { world } = book;
  const one = /** @type {Entry} */ (world.entries[0]);
  const told = /** @type {any} */ (world.history[0]).entries;
  const late = { invokedAt: 1e6, endedAt: 1e6 };
  book.ask({ ...late, kind: 'read', id: 'earn-1-read', of: one._id, status: 200, entries: told });
  const refused = { ...late, outcome: /** @type {const} */ ('fail') };
  book.ask({ ...refused, kind: 'probe', id: 'probe-1', of: one._id, status: 409 });
  book.ask({ ...refused, kind: 'spend', id: 'spend-no', status: 400 });
  book.ask({ ...late, kind: 'client', id: 'client-1', told: { id: 'finn' } });
  const finn = world.clients.find(({ _id }) => _id === 'finn');
  Object.assign(finn ?? {}, { custom_fields: { op: 'client-1' } });
  tellOthers(book);
  book.tell('identity.user_added', {});
  for (const wallet of world.wallets) wallet.lots = lotsLeft(world, wallet);
  world.run.verified.push({ valid: true, entries: world.entries.length, problems: 0 });
  return world;
}
