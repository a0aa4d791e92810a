// The other half of what happens in the small world: rewards, a merge, a referral, and the tiers that follow.
import { points } from './fixture.mjs';
import { isPurchase } from './shopping.mjs';
import { lotsBy, partsOf } from './story-lots.mjs';
import { earnByRule } from './story-shopping.mjs';

/** @typedef {import('./fixture.mjs').Book} Book */
/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Wallet} Wallet */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').LotRef} LotRef */
/** @typedef {import('./world.mjs').Redemption} Redemption */

const WORKSPACE = 'workspace-1';
const COST = 10;
const THRESHOLD = 50;

/** @param {Book} book @param {Wallet} wallet @param {LotRef} lot @param {string} id of the redemption */
function pay(book, wallet, lot, id) {
  const units = points(COST);
  return book.write(
    wallet,
    {
      type: 'spend',
      amount: -units,
      change: /** @type {any} */ ({ active: -units, spent: units }),
      source_type: 'redemption',
      source_id: id,
      operation_id: `op:redemption:${id}`,
      lots: lotsBy([[lot, COST]], -1),
      consumed: partsOf([[lot, COST]]),
    },
    null,
  );
}

/** @param {Book} book @param {Wallet} wallet @param {Entry} spend @param {LotRef} lot */
function giveBack(book, wallet, spend, lot) {
  const refund = book.write(
    wallet,
    {
      type: 'cancel',
      amount: -spend.amount,
      change: /** @type {any} */ ({ active: -spend.amount, spent: spend.amount }),
      source_type: 'refund',
      source_id: spend._id,
      lots: lotsBy([[lot, COST]], 1),
      marks: [{ entry_id: spend._id, status: 'cancelled' }],
    },
    null,
  );
  spend.status = 'cancelled';
  return refund;
}

/** One that is used, one that is cancelled, and one that failed when its points had gone. @param {Book} book @param {Wallet} wallet @param {LotRef} lot */
export function redeem(book, wallet, lot) {
  const { world } = book;
  const common = { workspace_id: WORKSPACE, reward_id: 'reward-1', client_id: wallet.client_id };
  const paid = { ...common, points_spent: points(COST), counted: true };
  const [used, cancelled] = ['redemption-1', 'redemption-2'].map((_id, index) => {
    const spend = pay(book, wallet, lot, _id);
    return /** @type {Redemption} */ ({
      ...paid,
      _id,
      points_ledger_id: spend._id,
      coupon_id: `coupon-${index + 1}`,
      status: 'fulfilled',
      used_at: null,
      metadata: { op: `redeem-${index + 1}` },
      refund: null,
    });
  });
  if (!used || !cancelled) throw new Error('two were made');
  for (const row of [used, cancelled]) {
    const { _id: id, coupon_id, metadata } = row;
    const redemption = { id, status: 'fulfilled', points_spent: COST, coupon_id };
    const body = { reward_id: 'reward-1', client_id: wallet.client_id };
    book.ask({ id: metadata.op, kind: 'redeem', body, told: { redemption } });
    book.tell('rewards.reward_redeemed', { redemption: { id } });
  }
  const spend = /** @type {Entry} */ (
    world.entries.find(({ source_id }) => source_id === cancelled._id)
  );
  const refund = giveBack(book, wallet, spend, lot);
  Object.assign(cancelled, {
    status: 'cancelled',
    refund: { points: points(COST), entry_id: refund._id },
  });
  book.ask({ id: 'unredeem-1', kind: 'unredeem', of: cancelled._id });
  book.tell('rewards.reward_cancelled', { redemption: { id: cancelled._id } });
  used.used_at = world.at;
  book.ask({ id: 'use-1', kind: 'use', of: used._id, body: { used: true } });
  giveBack(book, wallet, pay(book, wallet, lot, 'redemption-3'), lot);
  book.ask({ id: 'redeem-3', kind: 'redeem', body: {}, outcome: 'fail', status: 400 });
  world.redemptions.push(used, cancelled);
  stockRewards(world, used);
}

/** @param {World} world @param {Redemption} used */
function stockRewards(world, { _id, client_id, reward_id, used_at }) {
  world.rewards.push({
    _id: reward_id,
    workspace_id: WORKSPACE,
    name: 'Paid',
    used: 1,
    marks: [],
    usage_limit: 1,
    usage_limit_per_client: 1,
    code_pattern: 'P-{RAND:8}',
    coupons_imported: false,
  });
  world.usages.push({ reward_id, client_id, used: 1, marks: [] });
  const coupon = { workspace_id: WORKSPACE, claimed_by: null };
  world.coupons.push(
    { ...coupon, _id: 'coupon-1', code: 'P-1', status: 'used', redemption_id: _id, used_at },
    {
      ...coupon,
      _id: 'coupon-2',
      code: 'P-2',
      status: 'available',
      redemption_id: null,
      used_at: null,
    },
  );
}

/** Everything of one client becomes another's. @param {Book} book @param {Wallet} from @param {Wallet} to @param {LotRef} lot that is all there is */
export function merge(book, from, to, lot) {
  const [source, target] = [from.client_id, to.client_id];
  const units = from.figures.active;
  const [outId, inId] = [book.nextLot(from).id, book.nextLot(from, null, 2).id];
  const common = { source_type: 'merge', source_id: source, caps: null };
  const negated = Object.entries(from.figures).map(([name, value]) => [
    name,
    value === 0 ? 0 : -value,
  ]);
  const arriving = from.figures;
  book.write(
    from,
    {
      ...common,
      type: 'transfer_out',
      amount: -units,
      change: /** @type {any} */ (Object.fromEntries(negated)),
      lots: lotsBy([[lot, units / 10_000]], -1),
      consumed: partsOf([[lot, units / 10_000]]),
      closing: { successor: to._id },
      counterpart: { client_id: target, wallet_id: to._id, entry_id: inId },
    },
    null,
  );
  book.write(
    to,
    {
      ...common,
      type: 'transfer_in',
      amount: units,
      change: arriving,
      lots: lotsBy([[lot, units / 10_000]], 1),
      counterpart: { client_id: source, wallet_id: from._id, entry_id: outId },
    },
    null,
  );
  book.ask({
    id: 'merge-1',
    kind: 'merge',
    body: { source_client_id: source, target_client_id: target },
  });
  book.tell('clients.merged', { source_client_id: source });
  const { world } = book;
  world.tombstones.push({
    _id: source,
    workspace_id: WORKSPACE,
    kind: 'merged',
    merged_into: target,
  });
}

/** Ada brings Eva, who buys; and Finn, who does not. @param {Book} book */
export function bring(book) {
  const { world } = book;
  const common = { workspace_id: WORKSPACE, referrer_client_id: 'ada', referral_code: 'ADA' };
  const brought = [
    {
      _id: 'referral-1',
      referee_client_id: 'eva',
      status: 'completed',
      qualifying_event_type: 'purchase',
    },
    {
      _id: 'referral-2',
      referee_client_id: 'finn',
      status: 'cancelled',
      qualifying_event_type: null,
    },
  ];
  book.ask({ id: 'code-1', kind: 'code', of: 'ada', told: { code: 'ADA' } });
  world.codes.push({ workspace_id: WORKSPACE, code: 'ADA', client_id: 'ada' });
  for (const [index, row] of brought.entries()) {
    const id = `refer-${index + 1}`;
    world.referrals.push({ ...common, ...row, operation_id: `${WORKSPACE} ${id}` });
    const body = { code: 'ADA', referee_client_id: row.referee_client_id };
    book.ask({ id, kind: 'refer', body, told: { outcome: 'applied', referral_id: row._id } });
    book.tell('referrals.referral_created', { referral_id: row._id });
  }
  book.ask({ id: 'unrefer-1', kind: 'unrefer', of: 'referral-2' });
  world.programs.push({ workspace_id: WORKSPACE, max_referrals_per_referrer: 1 });
  world.people.push({ _id: 'ada', completed: 1 }, { _id: 'eva', completed: 0 });
  const about = { referral_id: 'referral-1' };
  book.tell('referrals.referral_completed', { ...about, role: 'referrer', client_id: 'ada' });
  book.tell('referrals.referral_completed', { ...about, role: 'referee', client_id: 'eva' });
  buy(book);
}

/** @param {Book} book */
function buy(book) {
  const { world } = book;
  const external_id = `${WORKSPACE} buy-1`;
  world.trail.push({
    _id: 'event-buy',
    workspace_id: WORKSPACE,
    client_id: 'eva',
    event_category: 'transaction',
    event_type: 'purchase',
    event_timestamp: book.later,
    external_id,
    metadata: {},
    amount: points(12.5),
  });
  world.metrics.push({ _id: 'eva', transaction_count: 1, total_spending: points(12.5) });
  earnByRule(book, book.open('eva', 'bought'), 'event-buy', 12.5);
  book.ask({ id: 'buy-1', kind: 'buy', of: 'eva', body: { external_id } });
}

/** Who earned enough is in the tier, and heard of it. @param {Book} book */
export function climb(book) {
  const { world } = book;
  const tier = { _id: 'tier-1', name: 'Bronze', sort_order: 1, workspace_id: WORKSPACE };
  world.tiers.push({ ...tier, condition_values: { total_earned: THRESHOLD } });
  const clients = ['ada', 'ben', 'cleo', 'eva', 'finn', 'gwen', 'hal', 'ida'];
  for (const client of clients) {
    /** @type {Record<string, number>} */
    const earned = {};
    for (const { type, client_id, wallet_type_code: code, amount } of world.entries)
      if (type === 'earn' && (client_id === client || (client === 'ada' && client_id === 'dora')))
        earned[code] = (earned[code] ?? 0) + amount;
    const isIn = (earned.points ?? 0) >= points(THRESHOLD);
    world.clients.push({ _id: client, workspace_id: WORKSPACE, custom_fields: {} });
    world.members.push({
      _id: client,
      workspace_id: WORKSPACE,
      state: 'alive',
      enabled: true,
      tier: isIn ? { id: tier._id, name: tier.name } : null,
      lifetime: {
        earned,
        transactions: world.trail.filter((event) => isPurchase(event) && event.client_id === client)
          .length,
      },
    });
    if (!isIn) continue;
    world.moves.push({
      _id: `move-${client}`,
      client_id: client,
      from_tier_id: null,
      to_tier_id: tier._id,
    });
    book.tell('tiers.tier_promoted', { client_id: client, tier: { id: tier._id } });
  }
}
