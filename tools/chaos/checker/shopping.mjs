// R6, R7: what a rule gives for purchases and what refund events take back, from the trail and the log. The rule gives a
// point per euro into wallets that nothing else moves.
import { SPINS_BUDGET, SPINS_PER_CLIENT } from '../scene.mjs';
import { finding, groupBy, heirsOf, nameOf, unitsOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */
/** @typedef {import('./world.mjs').TrailEvent} TrailEvent */
/** @typedef {ReturnType<typeof finding>} Finding */

const WALLET = 'bought';
const LUCKY = 'lucky';
/** Metadata by which a sale is known, beside its id and its external_id (part 4, section 12). */
const NAMES = ['order_id', 'transaction_id', 'original_transaction_id'];
/** The share of each sale is rounded to whole units. */
const ROUNDING = 1;

/** @param {Entry} entry */
export const isOfRule = ({ wallet_type_code: code }) => code === WALLET;
/** What the rule of spins gave. @param {Entry} entry */
export const isLucky = ({ wallet_type_code: code }) => code === LUCKY;
/** @param {Entry} entry */
export const isTaking = (entry) =>
  isOfRule(entry) && entry.type === 'cancel' && entry.source_type === 'refund';
/** @param {TrailEvent} event */
export const isPurchase = ({ event_category: category, event_type: type }) =>
  category === 'transaction' && type === 'purchase';
/** @param {TrailEvent} event */
export const isRefund = ({ event_category: category, event_type: type }) =>
  category === 'transaction' && type === 'refund';
/** @param {TrailEvent} event */
export const isLinked = (event) => isRefund(event) && event.refund_link?.state === 'linked';

/** @param {number} sum @param {{ amount: number | null }} row */
const plus = (sum, { amount }) => sum + Number(amount);
/** @param {readonly { amount: number | null }[]} rows */
const totalOf = (rows) => rows.reduce(plus, 0);

/** Numbers and their text are the same name. @param {TrailEvent} sale */
const namesOf = ({ _id, external_id, metadata }) => [
  _id,
  external_id,
  ...NAMES.map((name) => metadata?.[name] ?? null).map((name) => name && String(name)),
];
/** What a refund calls its sale; the load names it one way only. @param {TrailEvent} refund */
const nameIn = ({ original_external_id: own, metadata }) => own ?? String(metadata.order_id);

/**
 * R6: a refund event is linked to sales of its own member, under the name that it gives, and never to more than was
 * paid; what it takes comes from what these sales earned the member: its share and no more, also of what a rule
 * that was away gave for them only afterwards; no less but where other refunds of some of these sales came first.
 *
 * @param {World} world
 */
export function refundsKeepToTheirSales(world) {
  const found = finding();
  const heirOf = heirsOf(world);
  const salesOf = groupBy(world.trail.filter(isPurchase), (event) => ownerOf(event, heirOf));
  const linkedOf = groupBy(world.trail.filter(isLinked), (event) => ownerOf(event, heirOf));
  const asked = new Map(
    world.history
      .filter(({ kind }) => kind === 'sell' || kind === 'return')
      .map((one) => [one.body.external_id, one]),
  );
  for (const refund of world.trail.filter(isRefund)) {
    const owner = ownerOf(refund, heirOf);
    const sales = salesOf.get(owner) ?? [];
    const linked = linkedOf.get(owner) ?? [];
    const complaint = isLinked(refund)
      ? complaintAboutLink(refund, sales, linked)
      : complaintAboutNone(refund, { sales, linked, asked });
    found.must(complaint === null, () => `refund ${refund._id} of client ${owner} ${complaint}`);
  }
  checkTakings(world, heirOf, found);
  return found;
}

/** @param {{ workspace_id: string, client_id: string | null }} row @param {(client: string) => string} heirOf */
const ownerOf = ({ workspace_id, client_id }, heirOf) =>
  `${workspace_id} ${heirOf(String(client_id))}`;

/** @param {TrailEvent} refund @param {TrailEvent[]} sales of its client @param {TrailEvent[]} linked refunds of its client */
function complaintAboutLink(refund, sales, linked) {
  const { saleIds = [], paid } = refund.refund_link ?? {};
  const own = sales.filter(({ _id }) => saleIds.includes(_id));
  if (own.length === 0 || own.length !== saleIds.length) return 'is linked to what is no own sale';
  if (!own.every((sale) => namesOf(sale).includes(nameIn(refund))))
    return `is linked to a sale that is not called ${nameIn(refund)}`;
  if (totalOf(own) !== paid) return `knows ${paid} units as paid, they are ${totalOf(own)}`;
  const back = linked.filter((one) => one.refund_link?.saleIds.every((id) => saleIds.includes(id)));
  return totalOf(back) > totalOf(own)
    ? `gives back ${totalOf(back)} units with others, ${totalOf(own)} were paid`
    : null;
}

/**
 * Sales that had been acknowledged before the refund was asked for are there for it.
 *
 * @param {TrailEvent} refund
 * @param {{ sales: TrailEvent[], linked: TrailEvent[], asked: Map<string, import('./world.mjs').Operation> }} seen
 */
function complaintAboutNone(refund, { sales, linked, asked }) {
  const state = refund.refund_link?.state;
  const invokedAt = asked.get(refund.external_id ?? '')?.invokedAt ?? 0;
  const before = sales.filter((sale) => {
    const { outcome, endedAt = Infinity } = asked.get(sale.external_id ?? '') ?? {};
    return outcome === 'ok' && endedAt < invokedAt && namesOf(sale).includes(nameIn(refund));
  });
  if (state === 'not_found') return before.length > 0 ? 'was not linked to its sale' : null;
  if (state !== 'exceeds') return `is linked as ${state}`;
  const ids = before.map(({ _id }) => _id);
  const back = linked.filter((one) => one.refund_link?.saleIds.some((id) => ids.includes(id)));
  return Number(refund.amount) <= totalOf(before) - totalOf(back)
    ? `exceeds nothing: ${totalOf(before)} units were paid, ${totalOf(back)} given back`
    : null;
}

/** @param {World} world @param {(client: string) => string} heirOf @param {Finding} found */
function checkTakings(world, heirOf, found) {
  const events = new Map(world.trail.map((event) => [event._id, event]));
  const entries = new Map(world.entries.map((entry) => [entry._id, entry]));
  const asks = new Map(
    world.purchaseRefunds
      .flatMap(({ refunds }) => refunds)
      .map(({ id, operation_id }) => [id, operation_id.replace(/^event:/, '')]),
  );
  const refundOf = (/** @type {Entry} */ { operation_id }) =>
    events.get(asks.get(operation_id.split(':')[1] ?? '') ?? '');
  const takings = world.entries.filter(isTaking);
  for (const entry of takings) {
    const refund = refundOf(entry);
    const earn = entries.get(entry.source_id ?? '');
    found.must(
      refund !== undefined &&
        earn?.type === 'earn' &&
        refund.refund_link?.saleIds.includes(earn.source_id ?? '') === true &&
        [entry, earn].every((one) => ownerOf(one, heirOf) === ownerOf(refund, heirOf)),
      () => `${nameOf(entry)} takes what is not of refund ${refund?._id}'s own sale`,
    );
  }
  const earnedAt = earnTimes(world);
  const linked = world.trail.filter(isLinked);
  const byRefund = groupBy(takings, (entry) => refundOf(entry)?._id ?? '');
  for (const refund of linked) {
    const taken = -totalOf(byRefund.get(refund._id) ?? []);
    const due = Number(refund.amount);
    const off = ROUNDING * Number(refund.refund_link?.saleIds.length);
    const isWhole =
      isAlone(refund, linked) || (earnedBefore(earnedAt, refund) && isAllThere(refund, linked));
    found.must(
      taken <= due + off && (taken >= due - off || !isWhole),
      () => `refund ${refund._id} of ${due} units took ${taken} points`,
    );
  }
}

/** When each sale earned its points. @param {Pick<World, 'entries'>} world @returns {Map<string, Date>} by its event id */
const earnTimes = ({ entries }) =>
  new Map(
    entries
      .filter((entry) => isOfRule(entry) && entry.type === 'earn')
      .map(({ source_id, created_at }) => [String(source_id), created_at]),
  );

/** Whether what its sales earned was there when the event of a refund came. @param {Map<string, Date>} earnedAt @param {TrailEvent} refund */
const earnedBefore = (earnedAt, { refund_link: link, event_timestamp: at }) =>
  (link?.saleIds ?? []).every((id) => Number(earnedAt.get(id) ?? Infinity) < at.getTime());

/** What a refund of an order's number took from a sale is not left for one of that sale alone. @param {TrailEvent} refund @param {TrailEvent[]} linked */
function isAllThere({ refund_link: link }, linked) {
  const upTo = linked.filter(
    ({ refund_link: one }) =>
      Number(one?.linkedAt) <= Number(link?.linkedAt) &&
      one?.saleIds.some((id) => link?.saleIds.includes(id)),
  );
  return totalOf(upTo) <= Number(link?.paid);
}

/** Whether every refund of any of its sales is of all of them. @param {TrailEvent} refund @param {TrailEvent[]} linked */
function isAlone({ refund_link: link }, linked) {
  const ids = link?.saleIds ?? [];
  return linked
    .filter((one) => one.refund_link?.saleIds.some((id) => ids.includes(id)))
    .every((one) => one.refund_link?.saleIds.length === ids.length);
}

/**
 * R7: where the rule is, each purchase earns its member a point per euro, once; and nothing moves these points but
 * purchases and refunds.
 *
 * @param {World} world
 */
export function purchasesEarnOnce(world) {
  const found = finding();
  const heirOf = heirsOf(world);
  const ruled = new Set(
    world.walletTypes.filter(({ code }) => code === WALLET).map((type) => type.workspace_id),
  );
  const ofRule = world.entries.filter(isOfRule);
  const earns = groupBy(
    ofRule.filter(({ type }) => type === 'earn'),
    ({ source_id }) => String(source_id),
  );
  const sales = world.trail.filter((event) => isPurchase(event) && ruled.has(event.workspace_id));
  for (const sale of sales) {
    const own = earns.get(sale._id) ?? [];
    found.must(
      own.length === 1 &&
        own[0]?.amount === sale.amount &&
        ownerOf(own[0], heirOf) === ownerOf(sale, heirOf),
      () => `purchase ${sale._id} of ${sale.amount} units earned ${own.map(nameOf).join(', ')}`,
    );
  }
  const known = new Set(sales.map(({ _id }) => _id));
  for (const entry of ofRule)
    found.must(
      entry.type === 'earn' ? known.has(String(entry.source_id)) : isTaking(entry),
      () => `${nameOf(entry)} comes from no purchase`,
    );
  return found;
}

/**
 * R8: a rule with limits gives a point for each spin, so often for a client as it may and until its budget is spent, no less
 * and no more, each time for another spin of that client.
 *
 * @param {World} world
 */
export function rulesKeepToTheirLimits(world) {
  const found = finding();
  const spins = groupBy(
    world.history.filter(({ kind }) => kind === 'spin'),
    ({ workspace }) => workspace,
  );
  const given = groupBy(world.entries.filter(isLucky), ({ workspace_id }) => workspace_id);
  const events = new Map(world.trail.map((event) => [event._id, event]));
  const runs = new Map(world.executions.map((run) => [run._id, run.trigger.eventId]));
  const spinOf = (/** @type {Entry} */ { source_id }) => String(runs.get(String(source_id)));
  for (const [workspace, asked] of spins) {
    const entries = given.get(workspace) ?? [];
    const most = asked.filter(({ outcome }) => outcome !== 'fail');
    const least = most.filter(({ outcome }) => outcome === 'ok');
    const [lower, upper] = [least, most].map(pointsFor);
    found.must(
      entries.length >= Number(lower) && entries.length <= Number(upper),
      () =>
        `spins of workspace ${workspace} earned ${entries.length} points, ${lower} to ${upper} are due`,
    );
    const used = new Set(entries.map(spinOf));
    found.must(used.size === entries.length, () => 'a spin earned more than once');
    for (const [clientId, own] of groupBy(entries, ({ client_id }) => client_id))
      found.must(
        own.length <= SPINS_PER_CLIENT,
        () => `client ${clientId} earned by ${own.length} spins`,
      );
    for (const entry of entries)
      found.must(
        entry.type === 'earn' &&
          entry.amount === unitsOf(1) &&
          events.get(spinOf(entry))?.client_id === entry.client_id,
        () => `${nameOf(entry)} comes from no spin of its client`,
      );
  }
  return found;
}

/** @param {readonly import('./world.mjs').Operation[]} spins */
function pointsFor(spins) {
  const counts = [...groupBy(spins, ({ of }) => String(of)).values()];
  const due = counts.reduce((sum, { length }) => sum + Math.min(length, SPINS_PER_CLIENT), 0);
  return Math.min(due, SPINS_BUDGET);
}

/**
 * S1: in the segment of whom bought so often are those whose trail says so, and no others.
 *
 * @param {World} world
 */
export function segmentsAreTrue(world) {
  const found = finding();
  const sales = groupBy(world.trail.filter(isPurchase), ({ workspace_id }) => workspace_id);
  for (const { id, workspaceId, atLeast, clientIds } of world.segments) {
    const bought = groupBy(sales.get(workspaceId) ?? [], ({ client_id }) => String(client_id));
    for (const [clientId, own] of bought)
      found.must(
        clientIds.includes(clientId) === own.length >= atLeast,
        () =>
          `client ${clientId} bought ${own.length} times, segment ${id} has ${clientIds.length} others`,
      );
    for (const clientId of clientIds)
      found.must(
        bought.has(clientId),
        () => `client ${clientId} is in segment ${id} and bought nothing`,
      );
  }
  return found;
}
