// T4: what services keep of what they heard from others, made again from the sources.
import { isPurchase, isRefund } from './shopping.mjs';
import { finding, groupBy, heirsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */

/** What counts as earned (part 3, section 5): credits, not what is moved, given back or unlocked. @param {import('./world.mjs').Entry} entry */
const isEarned = ({ type, amount }) => amount > 0 && (type === 'earn' || type === 'adjust');

/**
 * T4: each client's tier follows from what the log says they earned, counted once; each change of tier has one event,
 * and leads on from the one before; and what they bought is what was recorded.
 *
 * @param {World} world
 */
export function tiersFollowPoints(world) {
  const found = finding();
  const heirOf = heirsOf(world);
  const earned = groupBy(world.entries.filter(isEarned), ({ client_id }) => heirOf(client_id));
  const bought = groupBy(world.trail.filter(isPurchase), ({ client_id }) =>
    heirOf(String(client_id)),
  );
  const moves = groupBy(world.moves, ({ client_id }) => client_id);
  const tiers = groupBy(world.tiers, ({ workspace_id }) => workspace_id);
  const merged = new Set(world.tombstones.map(({ merged_into }) => merged_into));
  const known = new Set(world.members.map(({ _id }) => _id));
  for (const { _id } of world.clients)
    found.must(known.has(_id), () => `tiers have never heard of client ${_id}`);
  for (const { _id, workspace_id, state, enabled, tier, lifetime } of world.members) {
    if (state !== 'alive') continue;
    const sums = sumsOf(earned.get(_id) ?? []);
    const purchases = bought.get(_id) ?? [];
    found.must(
      sameSums(lifetime.earned, sums) && lifetime.transactions === purchases.length,
      () =>
        `client ${_id} earned ${JSON.stringify(sums)} in ${purchases.length} purchases, tiers count ${JSON.stringify(lifetime)}`,
    );
    const due = enabled ? tierFor(tiers.get(workspace_id) ?? [], sums.points ?? 0) : null;
    found.must(
      (tier?.id ?? null) === (due?._id ?? null),
      () => `client ${_id} with ${sums.points} units is in ${tier?.name}, due is ${due?.name}`,
    );
    // A merge brings the history of another client along; what it leads to is the tier above.
    if (!merged.has(_id)) checkMoves(_id, moves.get(_id) ?? [], tier?.id ?? null, found);
  }
  checkTold(world, found);
  checkMetrics(world, heirOf, found);
  return found;
}

/** @param {import('./world.mjs').Entry[]} entries @returns {Record<string, number>} units by wallet type code */
function sumsOf(entries) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { wallet_type_code: code, amount } of entries) sums[code] = (sums[code] ?? 0) + amount;
  return sums;
}

/** @param {Record<string, number>} a @param {Record<string, number>} b */
const sameSums = (a, b) =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every(
    (code) => (a[code] ?? 0) === (b[code] ?? 0),
  );

/** The highest tier whose threshold is met: nothing here ever lowers what was earned. @param {import('./world.mjs').Tier[]} tiers @param {number} units */
const tierFor = (tiers, units) =>
  [...tiers]
    .sort((a, b) => b.sort_order - a.sort_order)
    .find(({ condition_values: { total_earned } }) => units >= total_earned * 10_000);

/**
 * Each move leads on from where the one before led to. Their ids do not tell which one that was: they follow a clock that jumps
 * here, and that a process which is started anew begins again with.
 *
 * @param {string} client
 * @param {import('./world.mjs').Move[]} moves
 * @param {string | null} tier
 * @param {ReturnType<typeof finding>} found
 */
function checkMoves(client, moves, tier, found) {
  /** How often each tier was entered more often than left. @type {Map<string | null, number>} */
  const stays = new Map([[null, 1]]);
  for (const { from_tier_id, to_tier_id } of moves) {
    stays.set(from_tier_id, (stays.get(from_tier_id) ?? 0) - 1);
    stays.set(to_tier_id, (stays.get(to_tier_id) ?? 0) + 1);
  }
  found.must(
    [...stays].every(([id, times]) => times === (id === tier ? 1 : 0)) && stays.has(tier),
    () => `the history of client ${client} does not lead to their tier`,
  );
}

/** The history of who is forgotten goes with them. @param {World} world @param {ReturnType<typeof finding>} found */
function checkTold({ outbox, moves, guests }, found) {
  const forgettable = new Set(guests.map(({ clientId }) => clientId));
  const told = outbox.filter(
    ({ type, about }) =>
      /^tiers\.tier_(pro|de)moted$/.test(type) && !forgettable.has(String(about.client_id)),
  ).length;
  const changes = moves.filter(({ client_id }) => !forgettable.has(client_id)).length;
  found.must(told === changes, () => `${changes} changes of tier, ${told} events`);
}

/** A refund lowers what was spent, whether it found its sale or not; it is no transaction of its own. @param {World} world @param {(client: string) => string} heirOf @param {ReturnType<typeof finding>} found */
function checkMetrics({ metrics, trail }, heirOf, found) {
  const kept = new Map(metrics.map((row) => [row._id, row]));
  const transactions = groupBy(
    trail.filter((event) => isPurchase(event) || isRefund(event)),
    ({ client_id }) => heirOf(String(client_id)),
  );
  for (const [client, rows] of transactions) {
    const purchases = rows.filter(isPurchase);
    const units = rows.reduce((sum, row) => sum + (isRefund(row) ? -1 : 1) * Number(row.amount), 0);
    found.must(
      kept.get(client)?.transaction_count === purchases.length &&
        kept.get(client)?.total_spending === units,
      () => `client ${client} made ${purchases.length} purchases, metrics differ`,
    );
  }
}
