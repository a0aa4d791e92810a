// R1 to R4: rewards, against the log of the points that were paid for them. Nothing is on its way when this is asked.
import { finding, groupBy, heirsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').Redemption} Redemption */
/** @typedef {import('./world.mjs').Coupon} Coupon */

/** @param {Redemption} redemption */
const isLive = ({ status }) => status !== 'cancelled';
/** What the limits are about. @param {Redemption} redemption */
const counts = (redemption) => isLive(redemption) && redemption.counted;

/** The spends of redemptions by redemption, and what gave spends back by spend. @param {World} world */
function paymentsIn({ entries }) {
  const spends = entries.filter(({ source_type: source }) => source === 'redemption');
  const refunds = entries.filter(
    ({ type, source_type: source, amount }) =>
      type === 'cancel' && source === 'refund' && amount > 0,
  );
  return {
    spends: groupBy(spends, ({ source_id }) => String(source_id)),
    refunds: groupBy(refunds, ({ source_id }) => String(source_id)),
  };
}

/**
 * R1: a redemption that cost points has one spend, of that amount, from a wallet of its client; one that cost nothing
 * has none.
 *
 * @param {World} world
 */
export function redemptionsArePaidOnce(world) {
  const found = finding();
  const { spends } = paymentsIn(world);
  const heirOf = heirsOf(world);
  for (const { _id, points_spent, points_ledger_id, client_id, status } of world.redemptions) {
    const paid = spends.get(_id) ?? [];
    const [spend] = paid;
    found.must(
      paid.length === (points_spent > 0 ? 1 : 0),
      () => `redemption ${_id} of ${points_spent} units is ${status} and has ${paid.length} spends`,
    );
    if (!spend) continue;
    found.must(
      spend.type === 'spend' &&
        spend.amount === -points_spent &&
        spend._id === points_ledger_id &&
        spend.operation_id === `op:redemption:${_id}` &&
        heirOf(spend.client_id) === heirOf(client_id),
      () => `redemption ${_id} was paid by entry ${spend._id} of ${spend.amount} units`,
    );
  }
  return found;
}

/**
 * R2: what was cancelled, or never came to be, is given back once and whole; what stands is not given back.
 *
 * @param {World} world
 */
export function redemptionsAreRefundedOnce(world) {
  const found = finding();
  const { spends, refunds } = paymentsIn(world);
  const stored = new Map(world.redemptions.map((row) => [row._id, row]));
  for (const [id, [spend]] of spends) {
    const redemption = stored.get(id);
    const given = refunds.get(spend?._id ?? '') ?? [];
    const due = redemption && isLive(redemption) ? 0 : 1;
    found.must(
      given.length === due,
      () => `redemption ${id} is ${redemption?.status ?? 'not there'}, ${given.length} refunds`,
    );
    for (const { _id, amount } of given)
      found.must(amount === -Number(spend?.amount), () => `refund ${_id} is of ${amount} units`);
    if (redemption?.status === 'cancelled')
      found.must(
        redemption.refund?.points === redemption.points_spent &&
          redemption.refund.entry_id === given[0]?._id,
        () => `redemption ${id} does not know its refund`,
      );
  }
  for (const { _id, state } of world.attempts)
    found.must(false, () => `redemption ${_id} is left behind, ${state}`);
  return found;
}

/**
 * R3: no limit is exceeded, and the counters say what the redemptions say.
 *
 * @param {World} world
 */
export function limitsHold(world) {
  const found = finding();
  const live = groupBy(world.redemptions.filter(counts), ({ reward_id }) => reward_id);
  const merged = new Set(world.tombstones.map(({ merged_into }) => merged_into));
  for (const { _id, name, used, marks, usage_limit, usage_limit_per_client } of world.rewards) {
    const own = live.get(_id) ?? [];
    found.must(used === own.length, () => `${name} counts ${used} uses of ${own.length}`);
    found.must(marks.length === 0, () => `${name} has uses on their way`);
    found.must(
      usage_limit === null || own.length <= usage_limit,
      () => `${name} was redeemed ${own.length} times, its limit is ${usage_limit}`,
    );
    // Who took over another client has the uses of both.
    for (const [client, rows] of groupBy(own, ({ client_id }) => client_id))
      found.must(
        usage_limit_per_client === null ||
          rows.length <= usage_limit_per_client ||
          merged.has(client),
        () => `${name} was redeemed ${rows.length} times by client ${client}`,
      );
  }
  for (const { reward_id, client_id, used, marks } of world.usages) {
    const own = (live.get(reward_id) ?? []).filter((row) => row.client_id === client_id).length;
    found.must(
      used === own && marks.length === 0,
      () => `client ${client_id} counts ${used} uses of ${own} of reward ${reward_id}`,
    );
  }
  return found;
}

/**
 * R4: a code is there once in its workspace, a coupon belongs to one live redemption at most, and is available, issued
 * or used as that says; who redeems where coupons are given has one.
 *
 * @param {World} world
 */
export function couponsBelongToOne(world) {
  const found = finding();
  const codes = groupBy(
    world.coupons,
    ({ workspace_id, code }) => `${workspace_id} ${code.trim().toUpperCase()}`,
  );
  for (const [code, coupons] of codes)
    found.must(coupons.length === 1, () => `code ${code} is there ${coupons.length} times`);
  const holders = groupBy(
    world.redemptions.filter((row) => isLive(row) && row.coupon_id !== null),
    ({ coupon_id }) => String(coupon_id),
  );
  for (const coupon of world.coupons) {
    const complaint = complaintAbout(coupon, holders.get(coupon._id) ?? []);
    found.must(complaint === null, () => `coupon ${coupon.code} ${complaint}`);
  }
  const known = new Set(world.coupons.map(({ _id }) => _id));
  const gives = new Map(
    world.rewards.map((row) => [row._id, row.code_pattern !== null || row.coupons_imported]),
  );
  for (const { _id, coupon_id, reward_id } of world.redemptions) {
    found.must(
      coupon_id === null ? gives.get(reward_id) === false : known.has(coupon_id),
      () => `redemption ${_id} has coupon ${coupon_id}`,
    );
  }
  return found;
}

/** @param {Coupon} coupon @param {Redemption[]} holders @returns {string | null} */
function complaintAbout({ status, redemption_id, used_at, claimed_by }, holders) {
  const [holder] = holders;
  if (holders.length > 1) return `belongs to ${holders.length} redemptions`;
  if (claimed_by !== null) return `is set aside for ${claimed_by}`;
  if (redemption_id !== (holder?._id ?? null)) return `is of ${redemption_id}, not ${holder?._id}`;
  if ((status === 'used') !== (used_at !== null)) return `is ${status}, used at ${used_at}`;
  if ((status === 'available') !== (holder === undefined)) return `is ${status}`;
  if (holder && (holder.used_at !== null) !== (used_at !== null)) return 'is used, its holder not';
  return null;
}
